import type { LedgerLine } from "../../provider/ledger/ledgerLine";
import { partsOf } from "../../provider/messages/urn";
import { valueInWords, valuesInWords } from "../../provider/settings/valueWords";
import { settingInWords } from "../settingWords";
import { printable } from "../terminal";

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
