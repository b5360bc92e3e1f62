import Table from "cli-table3";
import { textOf } from "../../provider/messages/message";
import { firstNames } from "../../provider/settings/explain";
import { valueInWords } from "../../provider/settings/valueWords";
import { ChargePolicy } from "../../provider/settings/vehicle";
import { counted } from "../counted";
import { besideMeasured } from "../measured/beside";
import { settingInWords } from "../settingWords";
import { shortened } from "../shortened";
import type { Styler } from "../style";
import { inColumns, printable } from "../terminal";
import { driftByCause, driftedName, driftOfDevices, sharedWords } from "../view/causes";
import {
  asReason,
  type DeviceView,
  isExpectedReady,
  isNotReady,
  isReportedByCar,
  obstaclesIn,
  type Reason,
  type SiteView,
  siteNeedsAttention,
  type Update,
  type Verdict,
  warningsOf,
} from "../view/model";
import type { Status } from "./model";
import { byInWords, leavingWords, minuteOf, readyInWords, reasonInWords, reasonLines, reasonsOfDevice } from "./words";

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

/** The status for a terminal: the headline, then the sites, those that are not ready first. */
export function statusTable(status: Status, drawing: Drawing): string {
  const { shared, others } = driftByCause([
    ...status.sites.flatMap(({ name, title = name, devices }) => driftOfDevices(devices, title)),
    ...driftOfDevices(status.devices),
  ]);
  const own = new Map(others.map(({ of, change }) => [of, change.settings.map(({ setting }) => setting)]));
  const isShared = (device: DeviceView, { code, setting = "" }: Reason) =>
    code === "drift" && !drawing.allDevices && !own.get(device)?.includes(setting);
  const lines = [
    ...headline(status, drawing.styled),
    ...shared.map((one) =>
      inColumns(
        `${drawing.styled("warning", printable(sharedWords(one)))} (${printable(firstNames(one.devices.map(driftedName)))})`,
        drawing.columns,
      ),
    ),
    "",
  ];
  for (const { stack, finding } of status.stackErrors) {
    lines.push(drawing.styled("bad", `${stack}: its state cannot be read: ${printable(finding)}`), "");
  }
  return [...lines, gridOf(status, { ...drawing, isOffline: status.isOffline, isShared })].join("\n").trimEnd();
}

/** The first line: the number of sites that are ready now, and the numbers of problems. */
function headline({ name, counts, isOffline, time, of }: Status, styled: Styler): string[] {
  const { solar, ready, observed, leaving, devices, sites, drifted, unread, toApply, warnings } = counts;
  const ofSites = [
    observed && observed.notReady > 0 && `${observed.notReady} not ready now`,
    observed && observed.unknown > 0 && `${observed.unknown} not known`,
    leaving > 0 && `${counted(leaving, "site")} no longer declared`,
    sites - leaving > solar && `${counted(sites - leaving - solar, "site")} without solar-aware charging`,
  ].filter((note) => typeof note === "string");
  const ofDevices = [
    drifted > 0 && styled("warning", `${drifted} drifted`),
    unread > 0 && styled("bad", `${unread} not read`),
    toApply > 0 && styled("warning", `${toApply} with settings to apply`),
    warnings > 0 && styled("warning", `${counted(warnings, "value")} that may be wrong`),
  ].filter((note) => typeof note === "string");
  const from = isOffline ? `only from ${of === "fleet" ? "the states of its stacks" : "the stack's state"}` : "read";
  const isReady = styled((observed?.ready ?? ready) === solar ? "good" : "bad", readyInWords(counts));
  return [
    `${styled("strong", printable(name))}: ${isReady}`,
    ...(ofSites.length > 0 ? [ofSites.join(", ")] : []),
    `${[counted(devices, "device"), ...ofDevices].join(", ")} ${styled("quiet", `(${from}, ${minuteOf(time)})`)}`,
  ];
}

/** A line of the table, by column. */
type Row = { readonly [Column in "sign" | "name" | "now" | "declared" | "why" | "change"]?: string };

const HEAD: Row = { name: "SITE, DEVICE", now: "NOW", declared: "DECLARED", why: "WHY", change: "OUR LAST CHANGE" };

/** A drawing without the drift that several devices share: the lines at the top show it. */
interface GridDrawing extends Drawing {
  readonly isOffline: boolean;
  readonly isShared: (device: DeviceView, reason: Reason) => boolean;
}

function gridOf(status: Status, drawing: GridDrawing): string {
  const { columns: width, styled } = drawing;
  const { sites, devices } = status;
  const rows = sites.flatMap((site) => rowsOfSite(site, drawing));
  if (devices.length > 0) {
    rows.push({ name: styled("strong", "outside of a site") });
    rows.push(...devices.flatMap((device) => rowsOfDevice(device, [], { ...drawing, allDevices: true })));
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
    style: { head: [], border: [], "padding-left": 0, "padding-right": 1, compact: true },
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
  const reasons = reasonsOf(site);
  const ofSite = reasons.filter(({ device }) => device === "site").map((reason) => reasonInWords(reason));
  const cars = devices.filter(({ label, observe }) => label.startsWith("vehicle/") && !observe);
  const remarks = [
    ...(solar ? ofSite : ["without solar-aware charging"]),
    ...(solar && cars.length > 0 && cars.every(({ declared }) => declared.policy === ChargePolicy.ChargeBy)
      ? [
          "every car declares its own policy, so the site sets none: remove it from the cars that are to charge by the forecast",
        ]
      : []),
    ...(change === "new" ? ["not applied yet"] : []),
    ...(change === "leaving" ? [leavingWords(site)] : []),
    ...site.warnings.map((one) => textOf(one)),
    ...sharedRemarks(site, drawing),
  ];
  const below = devices.flatMap((device) => rowsOfDevice(device, reasons, drawing));
  for (const { label } of leaving) below.push({ name: `  ${shown(label)}`, why: styled("quiet", leavingWords()) });
  const isQuiet = below.length + remarks.length === 0;
  const row: Row = {
    sign: signOf(site, styled),
    name: styled("strong", shown(site.title ?? site.name)),
    now: verdictCell(isExpectedReady(site) ? observed?.verdict : undefined, styled),
    declared: verdictCell(isExpectedReady(site) ? (ready ? "ready" : "notReady") : undefined, styled),
    why: isQuiet ? styled("quiet", counted(devices.length, "device")) : remarks.map(printable).join("; "),
  };
  return [row, ...below];
}

/** A line with the number of the site's devices whose drift only the lines at the top show. */
function sharedRemarks({ devices }: SiteView, { isShared }: GridDrawing): string[] {
  const count = devices.filter((device) =>
    device.drift.some((setting) => isShared(device, { device: device.label, code: "drift", setting })),
  ).length;
  return count === 0 ? [] : [`${counted(count, "device")} drifted as above`];
}

/** The reasons why a site is not ready: its gaps, and reasons from the reported values. */
function reasonsOf(site: SiteView): Reason[] {
  const { gaps, observed } = site;
  if (!isExpectedReady(site)) return [];
  const declared = gaps.map(asReason);
  const isNamed = (reason: Reason) =>
    declared.some((one) => one.device === reason.device && one.setting === reason.setting);
  return [...declared, ...(observed?.reasons.filter((reason) => !isNamed(reason)) ?? [])];
}

/** A line for each finding about a device. */
function rowsOfDevice(
  device: DeviceView,
  ofSite: readonly Reason[],
  { styled, allDevices, isOffline, isShared }: GridDrawing,
): Row[] {
  const warnings = [
    ...(device.measured ? besideMeasured(device.measured, device.declared, { isAll: allDevices }) : []),
    ...device.warnings.map((one) => textOf(one)),
  ];
  const words = [
    ...reasonLines(
      reasonsOfDevice(device, ofSite).filter((reason) => !isShared(device, reason)),
      device,
    ).map((line) => styled(colourOf(line), printable(line.words))),
    ...warnings.map((text) => styled("warning", printable(text))),
    ...(allDevices ? [styled("quiet", valuesOf(device, { isOffline }))] : []),
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

/** The reported settings, or the declared ones if nothing is reported. */
function valuesOf(device: DeviceView, { isOffline }: Pick<GridDrawing, "isOffline">): string {
  const { declared, reported, secret, observe, ownStatus } = device;
  const keys = [...new Set([...Object.keys(declared), ...(observe || !isOffline ? Object.keys(reported) : [])])];
  const values = keys.map((key) => {
    const from = isReportedByCar(device, key) ? " (reported by the car)" : "";
    return `${settingInWords(key)} ${printable(valueInWords(key, reported[key] ?? declared[key]))}${from}`;
  });
  const status =
    ownStatus?.serviceStatus && obstaclesIn(ownStatus).length === 0 ? [printable(ownStatus.serviceStatus)] : [];
  return [...values, ...secret.map((key) => `${settingInWords(key)} [secret]`), ...status].join(", ");
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

function verdictCell(verdict: Verdict | undefined, styled: Styler): string {
  if (verdict === undefined) return styled("quiet", "–");
  if (verdict === "unknown") return styled("warning", "unknown");
  return verdict === "ready" ? styled("good", "yes") : styled("bad", "no");
}
