import Table from "cli-table3";
import { grouped } from "../../measure/sky/numbers";
import { textOf } from "../../provider/messages/message";
import { firstNames } from "../../provider/settings/explain";
import { shortName } from "../../provider/settings/groups";
import { valueInWords } from "../../provider/settings/valueWords";
import { besideMeasured } from "../measured/beside";
import type { Styler } from "../terminal";
import { inColumns, printable } from "../terminal";
import {
  asReason,
  type DeviceView,
  isReportedByCar,
  type Reason,
  type SiteView,
  type Update,
  type Verdict,
} from "../view/model";
import { counted, settingInWords, shortened } from "../words";
import { isExpectedReady, isNotReady, type Status, siteNeedsAttention, warningsOf } from "./model";
import {
  byInWords,
  hasOnlyOtherPolicies,
  isGap,
  leavingWords,
  minuteOf,
  readyInWords,
  reasonInWords,
  reasonLines,
  reasonsOfDevice,
} from "./words";

/** Options of the table. */
interface Drawing {
  /** Width of the terminal, in characters. */
  readonly columns: number;
  readonly styled: Styler;
  /** Whether all devices and their settings get a line, instead of only devices with findings. */
  readonly allDevices: boolean;
}

/** Width in characters from which the table shows the last change of a device. */
const WIDE = 110;

/** Widths of the columns: sign, NOW, DECLARED, longest name, last change. */
const SIGN = 2;
const ANSWER = 9;
const LONGEST_NAME = 34;
const LAST_CHANGE = 36;

/** Number of devices whose equal lines are one line at the top (our choice): an outage would take a line for each device. */
const LEAST_DEVICES = 3;

/** The status for a terminal: the headline, then the sites, those that are not ready first. */
export function statusTable(status: Status, drawing: Drawing): string {
  const { styled, columns, allDevices } = drawing;
  const { sites, devices } = status;
  const named = [
    ...sites.flatMap((site) => site.devices.map((device) => ({ site, device }))),
    ...devices.map((device) => ({ device, site: undefined })),
  ];
  const texts = named.flatMap(({ site, device }) => {
    const name = [site?.title ?? site?.name, shortName(device.label)].filter(Boolean).join(" ");
    return linesOf(device, site, drawing).flatMap((line) => (line.isGap ? [] : [{ ...line, name }]));
  });
  const groups = grouped(allDevices ? [] : texts, ({ words }) => words);
  const shared = new Map([...groups].filter(([, { length }]) => length >= LEAST_DEVICES));
  const lines = [
    ...headline(status, styled),
    ...[...shared].map(([words, some]) => {
      const names = printable(firstNames(some.map(({ name }) => name)));
      const text = printable(`${counted(some.length, "device")}: ${words}`);
      return inColumns(`${styled("warning", text)} (${names})`, columns);
    }),
    "",
  ];
  for (const { stack, finding } of status.stackErrors) {
    lines.push(styled("bad", `${stack}: its state cannot be read: ${printable(finding)}`), "");
  }
  return [...lines, gridOf(status, { ...drawing, isOffline: status.isOffline, shared })].join("\n").trimEnd();
}

/** The first line: the number of sites that are ready now, and the numbers of problems. */
function headline({ name, counts, isOffline, time }: Status, styled: Styler): string[] {
  const { solar, ready, observed, leaving, devices, sites, drifted, unread, toApply, warnings } = counts;
  const notes = (...all: readonly (string | number | false | undefined)[]) => all.filter(Boolean).join(", ");
  const from = isOffline ? "only from state" : "read";
  const isReady = styled((observed?.ready ?? ready) === solar ? "good" : "bad", readyInWords(counts));
  const ofDevices = notes(
    counted(devices, "device"),
    drifted && styled("warning", `${drifted} drifted`),
    unread && styled("bad", `${unread} not read`),
    toApply && styled("warning", `${toApply} with settings to apply`),
    warnings && styled("warning", `${counted(warnings, "value")} that may be wrong`),
  );
  return [
    `${styled("strong", printable(name))}: ${isReady}`,
    notes(
      observed?.notReady && `${observed.notReady} not ready now`,
      observed?.unknown && `${observed.unknown} not known`,
      leaving && `${counted(leaving, "site")} no longer declared`,
      sites - leaving > solar && `${counted(sites - leaving - solar, "site")} without solar-aware charging`,
    ),
    `${ofDevices} ${styled("quiet", `(${from}, ${minuteOf(time)})`)}`,
  ].filter(Boolean);
}

/** A line of the table, by column. */
type Row = { readonly [Column in "sign" | "name" | "now" | "declared" | "why" | "change"]?: string };

const HEAD: Row = { name: "SITE, DEVICE", now: "NOW", declared: "DECLARED", why: "WHY", change: "OUR LAST CHANGE" };

interface GridDrawing extends Drawing {
  readonly isOffline: boolean;
  /** The words that the lines at the top show. */
  readonly shared: ReadonlyMap<string, unknown>;
}

function gridOf(status: Status, drawing: GridDrawing): string {
  const { columns: width, styled } = drawing;
  const { sites, devices } = status;
  const rows = sites.flatMap((site) => rowsOfSite(site, drawing));
  if (devices.length > 0) {
    rows.push({ name: styled("strong", "outside of a site") });
    rows.push(...devices.flatMap((device) => rowsOfDevice(device, undefined, { ...drawing, allDevices: true })));
  }
  const names = Math.min(LONGEST_NAME, Math.max(...[HEAD, ...rows].map(({ name = "" }) => name.length)) + 2);
  const fixed: readonly (readonly [column: keyof Row, width: number])[] = [
    ["sign", SIGN],
    ["name", names],
    ...(drawing.isOffline ? [] : ([["now", ANSWER]] as const)),
    ["declared", ANSWER + 1],
    ["why", 0],
    ...(width >= WIDE && rows.some(({ change }) => change) ? ([["change", LAST_CHANGE]] as const) : []),
  ];
  const rest = width - fixed.reduce((sum, [, one]) => sum + one, 0) - 1;
  const table = new Table({
    chars: NO_BORDERS,
    style: { border: [], "padding-left": 0, compact: true },
    colWidths: fixed.map(([column, one]) => (column === "why" ? Math.max(rest, 20) : one)),
    wordWrap: true,
  });
  table.push(
    fixed.map(([column]) => styled("quiet", HEAD[column] ?? "")),
    ...rows.map((row) => fixed.map(([column]) => row[column] ?? "")),
  );
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const NO_BORDERS = Object.fromEntries(
  ["top", "bottom", "left", "right", "mid", "middle"].flatMap((side) => [
    [side, ""],
    ...["-mid", "-left", "-right"].map((end) => [`${side}${end}`, ""]),
  ]),
);

function rowsOfSite(site: SiteView, drawing: GridDrawing): Row[] {
  const { styled } = drawing;
  const { solar, ready = false, observed, devices, leaving = [], change } = site;
  const ofSite = reasonsOf(site).filter(({ device }) => device === "site");
  const above = devices.filter((device) =>
    linesOf(device, site, drawing).some(({ words }) => drawing.shared.has(words)),
  );
  const remarks = [
    ...(solar ? ofSite.map((reason) => reasonInWords(reason)) : ["without solar-aware charging"]),
    ...(hasOnlyOtherPolicies(site)
      ? ["every car declares another policy: remove it from the cars that are to charge by the forecast"]
      : []),
    ...(change === "new" ? ["not applied yet"] : []),
    ...(change === "leaving" ? [leavingWords(site)] : []),
    ...site.warnings.map((one) => textOf(one)),
    ...(above.length > 0 ? [`${counted(above.length, "device")} as above`] : []),
  ];
  const below = devices.flatMap((device) => rowsOfDevice(device, site, drawing));
  for (const { label } of leaving) below.push({ name: `  ${shown(label)}`, why: styled("quiet", leavingWords()) });
  return [
    {
      sign: signOf(site, styled),
      name: styled("strong", shown(site.title ?? site.name)),
      now: verdictCell(site, observed?.verdict, styled),
      declared: verdictCell(site, ready ? "ready" : "notReady", styled),
      why:
        below.length + remarks.length === 0
          ? styled("quiet", counted(devices.length, "device"))
          : remarks.map(printable).join("; "),
    },
    ...below,
  ];
}

/** The reasons why a site is not ready: its gaps, and reasons from the reported values. */
function reasonsOf(site: SiteView): Reason[] {
  const { gaps, observed, change } = site;
  if (!isExpectedReady(site)) return [];
  // A new site needs no line for each setting that no update has sent.
  const declared = gaps.filter(({ reason }) => change !== "new" || reason !== "notAccepted").map(asReason);
  const isNamed = (reason: Reason) =>
    declared.some((one) => one.device === reason.device && one.setting === reason.setting);
  return [...declared, ...(observed?.reasons.filter((reason) => !isNamed(reason)) ?? [])];
}

/** A line for each finding about a device. */
function linesOf(device: DeviceView, site: SiteView | undefined, { allDevices }: Drawing) {
  const { measured, declared, warnings, toApply } = device;
  const own = { ...device, toApply: site?.change === "new" ? [] : toApply };
  return [
    ...reasonLines(reasonsOfDevice(own, site ? reasonsOf(site) : []), device).map((line) => ({
      words: line.words,
      colour: colourOf(line),
      isGap: isGap(line.code),
    })),
    ...[
      ...(measured ? besideMeasured(measured, declared, { isAll: allDevices }) : []),
      ...warnings.map((one) => textOf(one)),
    ].map((words) => ({ words, colour: "warning" as const, isGap: false })),
  ];
}

function rowsOfDevice(device: DeviceView, site: SiteView | undefined, drawing: GridDrawing): Row[] {
  const { styled, allDevices, shared } = drawing;
  const words = [
    ...linesOf(device, site, drawing)
      .filter((line) => !shared.has(line.words))
      .map(({ words, colour }) => styled(colour, printable(words))),
    ...(allDevices ? [styled("quiet", valuesOf(device))] : []),
  ];
  return words.map((why, index) => {
    if (index > 0) return { why };
    const name = `  ${shown(device.label, LONGEST_NAME - 4)}`;
    return { name, why, change: device.updates[0] ? styled("quiet", lastUpdate(device.updates[0])) : "" };
  });
}

function colourOf({ code }: Pick<Reason, "code">): "bad" | "warning" | "quiet" {
  if (code === "unseen") return "quiet";
  return ["drift", "kept", "toApply"].includes(code) ? "warning" : "bad";
}

/** The declared and reported settings, with the reported value if there is one. */
function valuesOf(device: DeviceView): string {
  const { declared, reported, secret } = device;
  const keys = [...new Set([...Object.keys(declared), ...Object.keys(reported)])];
  const values = keys.map((key) => {
    const from = isReportedByCar(device, key) ? " (reported by the car)" : "";
    return `${settingInWords(key)} ${printable(valueInWords(key, reported[key] ?? declared[key]))}${from}`;
  });
  return [...values, ...secret.map((key) => `${settingInWords(key)} [secret]`)].join(", ");
}

function lastUpdate({ time, by }: Update): string {
  return printable(`${minuteOf(time).replace(" UTC", "")} ${byInWords(by)}`);
}

/** A name shortened to its column. */
function shown(name: string, longest = LONGEST_NAME - 2): string {
  return shortened(printable(name), longest);
}

function signOf(site: SiteView, styled: Styler): string {
  if (isNotReady(site)) return styled("bad", "✗");
  if (siteNeedsAttention(site) || warningsOf(site).length > 0) return styled("warning", "!");
  if (!isExpectedReady(site)) return styled("quiet", "–");
  return site.observed?.verdict === "unknown" ? styled("warning", "?") : styled("good", "✓");
}

function verdictCell(site: SiteView, verdict: Verdict | undefined, styled: Styler): string {
  if (verdict === undefined || !isExpectedReady(site)) return styled("quiet", "–");
  if (verdict === "unknown") return styled("warning", "unknown");
  return verdict === "ready" ? styled("good", "yes") : styled("bad", "no");
}
