import { InvalidArgumentError } from "commander";
import { type LedgerLine, withSecretsHidden } from "../../provider/ledger/ledgerLine";
import { partsOf } from "../../provider/messages/names";
import { deviceName } from "../../provider/service/device";
import { didYouMean, listed } from "../../provider/settings/explain";
import { valueInWords, valuesInWords } from "../../provider/settings/valueWords";
import { command, flag, type OptionsOf, parsed, rare, text, texts } from "../command/record";
import { printable } from "../terminal";
import { settingInWords } from "../words";
import { type FoundLines, isNamed, readLedgers } from "./read";

const OPTIONS = {
  device: text(
    "<id>",
    "show the changes of this device: its id, or business/device (default: all devices, in the last run or --since)",
  ),
  since: parsed("<when>", "show the changes of all runs since then: a date, or an age such as 12h or 7d", (given) =>
    parseSince(given, Date.now()),
  ),
  file: texts("<path...>", "ledgers to search (default: SOLAR_CHARGING_LEDGER_FILE)"),
  json: flag("print the matching lines of the ledger, each a JSON object"),
  showSecrets: rare(flag("show the values of secret settings (default: [secret] in their place)")),
};
type LedgerOptions = OptionsOf<typeof OPTIONS>;

/** `solar-charging ledger`: shows who set a value, and when. */
export const ledger = command({
  options: OPTIONS,
  exitCodes: {
    0: "the changes are shown, or there are none",
    1: "a ledger cannot be read, or the command is wrong",
  },
  examples: [
    "ledger",
    "ledger --device car-1",
    "ledger --device car-1 --since 7d --file ledger.jsonl",
    "ledger --device car-1 --json --file 2026-10.jsonl 2026-11.jsonl | jq .changes",
  ],
  read: async ({ options, refuse }) => {
    const { SOLAR_CHARGING_LEDGER_FILE } = process.env;
    const files = options.file ?? (SOLAR_CHARGING_LEDGER_FILE ? [SOLAR_CHARGING_LEDGER_FILE] : []);
    if (files.length === 0) refuse("no ledger: give --file, or set SOLAR_CHARGING_LEDGER_FILE");
    const found = await readLedgers(files, options);
    return { files, ...found, lines: options.showSecrets ? found.lines : found.lines.map(withSecretsHidden) };
  },
  show: {
    text: ({ lines }, _, { device }) =>
      lines.length > 0 ? ledgerTable(lines, { hasDevices: device === undefined }) : "",
    json: ({ lines }) => lines.map((line) => JSON.stringify(line)).join("\n"),
  },
  isVerbatim: true,
  remarks: ledgerRemarks,
});

/** The parts of the ledgers that are left out, and the reason if nothing is shown. */
function ledgerRemarks(
  { files, lines, notUnderstood, cutShort, devices }: FoundLines & { readonly files: readonly string[] },
  options: LedgerOptions,
): string[] {
  const cut = "ends in the middle of a line, because a disk was full or a process stopped: that line is left out";
  const count = notUnderstood === 1 ? "1 line is" : `${notUnderstood} lines are`;
  const { device, since, json } = options;
  const when = since ? ` since ${since.toISOString()}` : "";
  const what = device === undefined ? "" : ` of device '${device}'`;
  return [
    ...cutShort.map((file) => `${file} ${cut}`),
    ...(notUnderstood > 0 ? [`${count} left out: not lines of a ledger, or written by a newer version`] : []),
    ...(lines.length === 0 && !json ? [`no change${what}${when} in ${listed(files)}${hintAt(options, devices)}`] : []),
  ];
}

/** A suggestion if the ledgers have no such device. */
function hintAt({ device }: LedgerOptions, devices: FoundLines["devices"]): string {
  if (device === undefined || devices.some((one) => isNamed(one, device))) return "";
  return didYouMean(
    device,
    devices.flatMap((one) => [one.deviceId, deviceName(one)]),
  );
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A time: `7d` is seven days ago; m, h and w work too. Otherwise a date with an optional time, in UTC unless it has
 * an offset.
 */
export function parseSince(text: string, now: number): Date {
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (UNITS[unit] as number));
  const [given, zone] = DATE.exec(text) ?? [];
  const date = new Date(given === undefined ? Number.NaN : given.includes("T") && !zone ? `${given}Z` : given);
  if (Number.isNaN(date.getTime()) || !isDay(text.slice(0, 10))) {
    throw new InvalidArgumentError(
      "Give a date such as 2026-11-21 or 2026-11-21T14:00Z, or an age such as 90m, 12h, 7d or 2w.",
    );
  }
  return date;
}

/** Whether the month has this day: Node reads 30 February as 2 March. */
function isDay(text: string): boolean {
  return new Date(text).toISOString().startsWith(text);
}

const HEADER = ["TIME", "SETTING", "OLD", "NEW", "OUTCOME", "OPERATION", "WHO"];

/**
 * Lines of a ledger as a table: a row for each setting. The business is in it if there are several.
 * @param hasDevices whether each row names its device
 */
export function ledgerTable(lines: readonly LedgerLine[], { hasDevices }: { readonly hasDevices: boolean }): string {
  const hasBusinesses = new Set(lines.map(({ businessId }) => businessId)).size > 1;
  const named = (business: string, device: string, row: readonly string[]) => [
    ...(hasBusinesses ? [business] : []),
    ...(hasDevices ? [device] : []),
    ...row,
  ];
  const header = named("BUSINESS", "DEVICE", HEADER);
  const shown = lines.flatMap((line) => rowsOf(line).map((row) => named(line.businessId, line.deviceId, row)));
  const rows = [header, ...shown].map((row) => row.map(printable));
  const widths = header.map((_, column) => rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0));
  const pad = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] as number));
  return rows.map((row) => pad(row).join("  ").trimEnd()).join("\n");
}

function rowsOf(line: LedgerLine): string[][] {
  const { time, operation, outcome, status, changes } = line;
  return changes.map(({ key, old, new: value, verification }) => {
    const outcomes = [outcome, status, verification].filter((word) => word !== undefined);
    const [before, after] = old === undefined ? ["–", valueInWords(key, value)] : valuesInWords(key, [old, value]);
    // Without milliseconds, which no reader needs.
    return [
      `${time.slice(0, 19)}Z`,
      settingInWords(key),
      before ?? "–",
      after ?? "–",
      outcomes.join(", "),
      operation,
      whoOf(line),
    ];
  });
}

/** The resource by its stack and name, as far as they are known, and who sent the update. */
function whoOf({ project, stack, urn, by }: LedgerLine): string {
  const place = [project, stack].filter(Boolean).join("/");
  return [place, partsOf(urn).name, by].filter(Boolean).join(" ");
}
