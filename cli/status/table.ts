import Table from "cli-table3";
import { counted } from "../counted";
import type { Paint } from "../paint";
import { settingInWords, valueInWords } from "../settingWords";
import { printable } from "../terminal";
import {
  type Change,
  type DeviceStatus,
  type Reason,
  type SiteStatus,
  type Status,
  saysNo,
  type Verdict,
} from "./model";
import { minuteOf } from "./time";
import { byInWords, reasonInWords, reasonsOfDevice } from "./words";

/** How the table is drawn. */
export interface Drawing {
  /** Of the terminal, in characters. */
  readonly columns: number;
  readonly paint: Paint;
  /** Whether all devices have a line, with their settings, and not only those of which there is something to say. */
  readonly allDevices: boolean;
}

/** From how many characters on the last change of a device is in the table. */
const WIDE = 110;

/** Widths of columns: sign and two answers, the names at most, who changed what last. */
const SIGN = 2;
const ANSWER = 7;
const LONGEST_NAME = 34;
const LAST_CHANGE = 36;

/** The status as a person at a terminal reads it: what matters first, then the sites, those that are not ready first. */
export function tableOf(status: Status, drawing: Drawing): string {
  const lines = [...headline(status, drawing.paint), ""];
  for (const { stack, finding } of status.stackErrors) {
    lines.push(drawing.paint("bad", `${stack}: its state cannot be read: ${printable(finding)}`), "");
  }
  return [...lines, gridOf(status, drawing)].join("\n").trimEnd();
}

/** How many sites are ready, by what is declared and by what is reported now, and what is to be said of the devices. */
export function headline({ name, counts, isOffline, time, of }: Status, paint: Paint): string[] {
  const { solar, ready, observed, devices, sites } = counts;
  const others = sites > solar ? `, ${counted(sites - solar, "site")} without solar-aware charging` : "";
  const notes = [
    counts.drifted > 0 && paint("warning", `${counts.drifted} drifted`),
    counts.unread > 0 && paint("bad", `${counts.unread} not read`),
    counts.toApply > 0 && paint("warning", `${counts.toApply} with settings to apply`),
  ].filter((note) => note !== false);
  const from = isOffline ? `from the ${of === "fleet" ? "states of its stacks" : "stack's state"} alone` : "read";
  const isReady = paint(ready === solar ? "good" : "bad", `${ready} of ${counted(solar, "site")} ready`);
  return [
    `${paint("strong", printable(name))}: ${isReady}${others}`,
    ...(observed
      ? [`reported now: ${observed.ready} ready, ${observed.notReady} not ready, ${observed.unknown} not known`]
      : []),
    `${[counted(devices, "device"), ...notes].join(", ")} ${paint("quiet", `(${from}, ${minuteOf(time)})`)}`,
  ];
}

type Row = readonly string[];

function gridOf(status: Status, drawing: Drawing): string {
  const { columns, paint } = drawing;
  const isWide = columns >= WIDE;
  const head = [
    "",
    "SITE, DEVICE",
    "READY",
    ...(status.isOffline ? [] : ["NOW"]),
    "WHY",
    ...(isWide ? ["LAST CHANGE"] : []),
  ];
  const groups = [
    ...status.sites.map((site) => rowsOfSite(site, status.isOffline, drawing, isWide)),
    ...(status.devices.length > 0 ? [rowsOfOthers(status, drawing, isWide)] : []),
  ];
  const rows = groups.flat();
  const names = Math.min(LONGEST_NAME, Math.max(...[head, ...rows].map((row) => row[1]?.length ?? 0)) + 2);
  const fixed = [SIGN, names, ANSWER, ...(status.isOffline ? [] : [ANSWER + 2])];
  const last = isWide ? [LAST_CHANGE] : [];
  const rest = columns - [...fixed, ...last].reduce((sum, width) => sum + width, 0) - 1;
  const table = new Table({
    chars: NO_BORDERS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 1, compact: true },
    colWidths: [...fixed, Math.max(rest, 20), ...last],
    wordWrap: true,
  });
  table.push(
    head.map((word) => paint("quiet", word)),
    ...rows.map((row) => [...row]),
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

function rowsOfSite(site: SiteStatus, isOffline: boolean, drawing: Drawing, isWide: boolean): Row[] {
  const { paint } = drawing;
  const { solar, ready, observed, devices, change } = site;
  const verdict = solar ? observed?.verdict : undefined;
  const ofSite = reasonsOf(site).filter(({ device }) => device === "site");
  const remarks = [
    ...(solar ? ofSite.map((reason) => reasonInWords(reason)) : ["without solar-aware charging"]),
    ...(change === "new"
      ? ["not applied yet"]
      : change === "leaving"
        ? ["no longer declared: the next up removes it"]
        : []),
    ...(drawing.allDevices ? site.lints : []),
  ];
  const said = devices.flatMap((device) => rowsOfDevice(device, reasonsOf(site), isOffline, drawing, isWide));
  const isQuiet = said.length === 0 && remarks.length === 0;
  const row = [
    signOf(site, paint),
    paint("strong", shown(site.site)),
    solar ? answer(ready, paint) : paint("quiet", "–"),
    ...(isOffline ? [] : [verdictOf(verdict, paint)]),
    isQuiet ? paint("quiet", counted(devices.length, "device")) : remarks.map(printable).join("; "),
    ...(isWide ? [""] : []),
  ];
  return [row, ...said];
}

/** Why a site is not ready: by what it declares, and by what is reported beside that. */
function reasonsOf({ solar, gaps, observed }: SiteStatus): Reason[] {
  if (!solar) return [];
  const declared = gaps.map(({ device, setting, reason: code }): Reason => ({ device, setting, code }));
  const isNamed = (reason: Reason) =>
    declared.some((one) => one.device === reason.device && one.setting === reason.setting);
  return [...declared, ...(observed?.reasons.filter((reason) => !isNamed(reason)) ?? [])];
}

function rowsOfOthers({ devices, isOffline }: Status, drawing: Drawing, isWide: boolean): Row[] {
  const { paint } = drawing;
  const title = ["", paint("strong", "outside of a site"), "", ...(isOffline ? [] : [""]), "", ...(isWide ? [""] : [])];
  return [title, ...devices.flatMap((device) => rowsOfDevice(device, [], isOffline, drawing, isWide, true))];
}

/** A line for each thing that is to be said of a device. */
function rowsOfDevice(
  device: DeviceStatus,
  ofSite: readonly Reason[],
  isOffline: boolean,
  drawing: Drawing,
  isWide: boolean,
  isAlways = drawing.allDevices,
): Row[] {
  const { paint } = drawing;
  const reasons = reasonsOfDevice(device, ofSite);
  const words = [
    ...reasons.map((reason) => paint(colourOf(reason), printable(reasonInWords(reason, device)))),
    ...(isAlways ? [...device.lints.map(printable), paint("quiet", valuesOf(device, isOffline))] : []),
  ];
  return words.map((text, index) => [
    "",
    index === 0 ? `  ${shown(device.label, LONGEST_NAME - 4)}` : "",
    "",
    ...(isOffline ? [] : [""]),
    text,
    ...(isWide ? [index === 0 ? paint("quiet", lastChange(device.changes[0])) : ""] : []),
  ]);
}

function colourOf({ code }: Reason): "bad" | "warning" | "quiet" {
  if (code === "unseen") return "quiet";
  return code === "drift" || code === "toApply" ? "warning" : "bad";
}

/** The settings as they are reported, or declared if nothing is. */
function valuesOf({ declared, reported, secret, observe, says }: DeviceStatus, isOffline: boolean): string {
  const keys = [...new Set([...Object.keys(declared), ...(observe || !isOffline ? Object.keys(reported) : [])])];
  const values = keys.map(
    (key) => `${settingInWords(key)} ${printable(valueInWords(key, reported[key] ?? declared[key]))}`,
  );
  const status = says?.serviceStatus && saysNo(says).length === 0 ? [printable(says.serviceStatus)] : [];
  return [...values, ...secret.map((key) => `${settingInWords(key)} [secret]`), ...status].join(", ");
}

function lastChange(change: Change | undefined): string {
  return change ? printable(`${minuteOf(change.time).replace(" UTC", "")} ${byInWords(change.by)}`) : "";
}

/** A name that fits into its column. */
function shown(name: string, longest = LONGEST_NAME - 2): string {
  const text = printable(name);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function signOf(site: SiteStatus, paint: Paint): string {
  const { solar, ready, observed, devices } = site;
  if (solar && (!ready || observed?.verdict === "notReady")) return paint("bad", "✗");
  if (devices.some(({ drift, problem }) => drift.length > 0 || problem)) return paint("warning", "!");
  return solar ? (observed?.verdict === "unknown" ? paint("warning", "?") : paint("good", "✓")) : paint("quiet", "–");
}

function answer(is: boolean, paint: Paint): string {
  return is ? paint("good", "yes") : paint("bad", "no");
}

function verdictOf(verdict: Verdict | undefined, paint: Paint): string {
  if (verdict === undefined) return paint("quiet", "–");
  return verdict === "unknown" ? paint("warning", "unknown") : answer(verdict === "ready", paint);
}
