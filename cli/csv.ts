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

/** The separator of the fields: the one in the header outside of quotes. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  return ["\t", ";"].find((sign) => header.includes(sign)) ?? ",";
}
