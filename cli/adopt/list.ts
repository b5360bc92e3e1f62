import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { delimiterOf } from "../../provider/manifest/csv";
import { decodedText } from "../../provider/manifest/source";

/** A device that is to be adopted, as it was listed; nothing of it has been looked at. */
export interface Row {
  readonly deviceId: string;
  readonly site?: string;
  readonly businessId?: string;
  readonly kind?: string;
  /** Where it was listed, for messages. */
  readonly place: string;
}

/** The devices of a text: an id on each line. A line that begins with `#`, and what comes after ` #`, is a comment. */
export function rowsOfText(text: string, source: string): Row[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const deviceId = line
      .replace(/^\uFEFF/, "")
      .replace(/(^|\s)#.*$/, "")
      .trim();
    return deviceId === "" ? [] : [{ deviceId, place: `${source}:${index + 1}` }];
  });
}

/**
 * The devices of a CSV file with a header, with commas, semicolons or tabs between the fields. The columns `site`,
 * `businessId` and `kind` are taken where they are there.
 * @param column the column of the ids
 * @throws Error that says what is wrong with the file
 */
export function rowsOfCsv(text: string, source: string, column: string): Row[] {
  let columns: string[] = [];
  const options = {
    delimiter: delimiterOf(text),
    bom: true,
    trim: true,
    skip_empty_lines: true,
    info: true,
    columns: (header: string[]) => {
      columns = header;
      return header;
    },
  } as const;
  const records = readCsv(text, source, options);
  if (!columns.includes(column)) {
    const found = columns.length > 0 ? columns.join(", ") : "nothing";
    throw new Error(
      `${source} has no column ${column}; its header is ${found}. Name the column of the ids with --column`,
    );
  }
  return records.flatMap(({ record, info }) => {
    const deviceId = record[column] ?? "";
    if (deviceId === "") return [];
    const given = ["site", "businessId", "kind"].filter((name) => name !== column && record[name]);
    return [
      { deviceId, ...Object.fromEntries(given.map((name) => [name, record[name]])), place: `${source}:${info.lines}` },
    ];
  });
}

interface Line {
  readonly record: Readonly<Record<string, string | undefined>>;
  readonly info: { readonly lines: number };
}

function readCsv(text: string, source: string, options: object): Line[] {
  try {
    return parse(text, options) as unknown as Line[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`${source} is not a CSV file: ${error.message}`);
  }
}

/**
 * The devices that a command is given: as arguments, and in a file or on standard input.
 * @throws Error that says what is wrong with the file
 */
export function readRows(ids: readonly string[], { devices, column }: { devices?: string; column?: string }): Row[] {
  const named = ids.map((deviceId) => ({ deviceId, place: "command line" }));
  if (devices === undefined) return named;
  const source = devices === "-" ? "standard input" : devices;
  const text = textOf(devices === "-" ? 0 : devices, source);
  const isCsv = column !== undefined || extname(devices).toLowerCase() === ".csv";
  return [...named, ...(isCsv ? rowsOfCsv(text, source, column ?? "deviceId") : rowsOfText(text, source))];
}

function textOf(file: string | 0, source: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Error(`${source} cannot be read: ${(error as Error).message}`);
  }
  try {
    return decodedText(bytes);
  } catch (error) {
    throw new Error(`${source} ${(error as Error).message}`);
  }
}
