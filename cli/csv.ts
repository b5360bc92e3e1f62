import { CsvError, type Options, parse } from "csv-parse/sync";

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
    throw new Error(
      `${source}:${error.lines ?? 1}: ${MISTAKES[error.code] ?? "cannot be read as CSV: export it again"}`,
    );
  }
}

const FOLLOWED = 'has text after a closing quote: write a quote within a field twice, as ""';

/** The mistakes of a table, by the parser's code. */
const MISTAKES: Readonly<Partial<Record<CsvError["code"], string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed: add the missing "',
  CSV_INVALID_CLOSING_QUOTE: FOLLOWED,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: FOLLOWED,
  INVALID_OPENING_QUOTE: 'has a quote within a field: put the whole field in quotes, and write the quote twice, as ""',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "has more or fewer fields than the header: correct its separators and quotes",
};

/**
 * The rows of a table of any form. Those without a content are left out.
 * @param most the number of rows to read @throws Error if a line is too long
 */
export function recordsOf(text: string, delimiter: string, most?: number): string[][] {
  const limit = most === undefined ? {} : { to: most };
  return leniently(text, delimiter, (own, options) => parse(own, { ...options, ...limit }) as unknown as string[][]);
}

/** The line of each of these rows, from 1. Computed only for an error: it takes as long as reading. */
export function lineNumbersOf(text: string, delimiter: string): number[] {
  const lines = leniently(text, delimiter, (own, options) => parse(own, { ...options, info: true }));
  return (lines as unknown as CsvLine[]).map(({ info }) => info.lines);
}

/** Maximum number of characters of a line. A year of quarters of an hour in one line has a third of it. */
const LONGEST_LINE = 3_000_000;

/**
 * Reads with quotes; if they are wrong anywhere, without any. The parser's own way around wrong quotes takes
 * minutes for a file that is full of them.
 */
function leniently<T>(text: string, delimiter: string, read: (text: string, options: Options) => T): T {
  const options = {
    ...{ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true },
    max_record_size: LONGEST_LINE,
  };
  try {
    return read(text, options);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code !== "CSV_MAX_RECORD_SIZE" && text.includes('"'))
      return read(text.replaceAll('"', ""), { ...options, quote: false });
    throw new Error(`line ${error.lines ?? 1} is too long for a table: export one with a row for each time`);
  }
}

/** The separator of the fields: the one in the header outside of quotes. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  return ["\t", ";"].find((sign) => header.includes(sign)) ?? ",";
}
