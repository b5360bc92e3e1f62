import { CsvError, parse } from "csv-parse/sync";

/** A line of a table. */
export interface CsvLine {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * The lines of a CSV file, with its header. The header decides between commas, semicolons and tabs.
 * @param source the name of the file, for messages
 * @throws Error if it is not CSV
 */
export function readCsv(text: string, source: string): CsvLine[] {
  const options = { delimiter: delimiterOf(text), bom: true, trim: true, skip_empty_lines: true, info: true };
  try {
    return parse(text, options) as unknown as CsvLine[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`${source} is not a CSV file: ${error.message}`);
  }
}

/** The rows of a table of any form. Those without a content are left out. @throws Error if a quote never ends */
export function recordsOf(text: string, delimiter: string): string[][] {
  try {
    return parse(text, lenient(delimiter));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`line ${error.lines ?? 1}: the table is broken or cut off: ${error.message}`);
  }
}

/** The line of each of these rows, from 1. Computed only for an error: it takes as long as reading. */
export function lineNumbersOf(text: string, delimiter: string): number[] {
  const lines = parse(text, { ...lenient(delimiter), info: true }) as unknown as CsvLine[];
  return lines.map(({ info }) => info.lines);
}

function lenient(delimiter: string) {
  return { bom: true, delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
}

/** The separator of the fields: the one in the header outside of quotes. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  return ["\t", ";"].find((sign) => header.includes(sign)) ?? ",";
}
