import { type CsvError, parse } from "csv-parse/sync";

/** A line of a table. */
interface CsvLine {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A table: its header, and its other lines. */
interface Csv {
  readonly header: readonly string[];
  readonly lines: readonly CsvLine[];
  /** Whether commas separate the fields, so that no number has a decimal comma. */
  readonly hasCommas: boolean;
}

/**
 * The table of a CSV file. Its first line decides between commas, semicolons and tabs: the header, or Excel's `sep=;`.
 * @param source the name of the file, for messages
 * @throws Error if it is not CSV
 */
export function readCsv(text: string, source: string): Csv {
  const [first = "", separator] = /^sep=(.)(?=\n)/.exec(text) ?? [];
  const table = text.slice(first.length);
  const delimiter = separator ?? delimiterOf(table);
  const options = { delimiter, trim: true, skip_empty_lines: true, info: true };
  try {
    const [header, ...lines] = parse(table, options) as unknown as CsvLine[];
    return { header: header?.record ?? [], lines, hasCommas: delimiter === "," };
  } catch (error) {
    const { lines, code } = error as CsvError;
    throw new Error(`${source}:${lines ?? 1}: ${MISTAKES[code] ?? "cannot be read as CSV: export it again"}`);
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

/** The separator of the fields: the one in the header outside of quotes. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/\n|$/)).replace(/"[^"]*"/g, "");
  return ["\t", ";"].find((sign) => header.includes(sign)) ?? ",";
}
