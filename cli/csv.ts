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
export function recordsOf(text: string, delimiter: string, most = Number.POSITIVE_INFINITY): string[][] {
  return leniently(
    text,
    (own) => {
      const limit = most === Number.POSITIVE_INFINITY ? {} : { to: most };
      return parse(own, { ...QUOTED, delimiter, ...limit }) as unknown as string[][];
    },
    (own) => {
      const records: string[][] = [];
      for (const [line] of linesIn(own)) {
        if (records.length >= most) break;
        records.push(line.split(delimiter));
      }
      return records;
    },
  );
}

/** The line of each of these rows, from 1. Computed only for an error: it takes as long as reading. */
export function lineNumbersOf(text: string, delimiter: string): number[] {
  return leniently(
    text,
    (own) => (parse(own, { ...QUOTED, delimiter, info: true }) as unknown as CsvLine[]).map(({ info }) => info.lines),
    (own) => Array.from(linesIn(own), ([, number]) => number),
  );
}

/** Maximum number of characters of a line. A year of quarters of an hour in one line has a third of it. */
const LONGEST_LINE = 3_000_000;

const QUOTED: Options = {
  ...{ bom: true, relax_column_count: true, skip_empty_lines: true },
  max_record_size: LONGEST_LINE,
};

/**
 * Reads with quotes; if there are none, or they are wrong anywhere, without any. This takes a fifth of the parser's time.
 * The parser's own way around wrong quotes takes minutes for a file that is full of them.
 */
function leniently<T>(text: string, quoted: (text: string) => T, plain: (text: string) => T): T {
  if (!text.includes('"')) return plain(text);
  try {
    return quoted(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === "CSV_MAX_RECORD_SIZE") throw tooLong(Number(error.lines ?? 1));
    return plain(text.replaceAll('"', ""));
  }
}

/** The lines of a text that are not empty, with their numbers from 1. */
function* linesIn(text: string): Generator<readonly [line: string, number: number]> {
  const end = text.includes("\n") ? "\n" : "\r";
  let at = text.startsWith("\ufeff") ? 1 : 0;
  for (let number = 1; at < text.length; number++) {
    const next = text.indexOf(end, at);
    const behind = next < 0 ? text.length : next;
    if (behind - at > LONGEST_LINE) throw tooLong(number);
    const line = text.slice(at, text[behind - 1] === "\r" ? Math.max(at, behind - 1) : behind);
    if (line !== "") yield [line, number];
    at = behind + 1;
  }
}

function tooLong(line: number): Error {
  return new Error(`line ${line} is too long for a table: export one with a row for each time`);
}

/** The separator of the fields: the one in the header outside of quotes. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  return ["\t", ";"].find((sign) => header.includes(sign)) ?? ",";
}
