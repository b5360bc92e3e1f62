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

/** The content of a list. */
export interface List {
  readonly rows: readonly Row[];
  /** The columns that are ignored. */
  readonly notes: readonly string[];
}

/**
 * The devices of a text: an id on each line. A line that begins with `#`, and what comes after ` #`, is a comment.
 * @throws Error if it is CSV or JSON
 */
export function rowsOfText(text: string, source: string): Row[] {
  const rows = text.split(/\r?\n/).flatMap((line, index) => {
    const deviceId = line
      .replace(/^\uFEFF/, "")
      .replace(/(^|\s)#.*$/, "")
      .trim();
    return deviceId === "" ? [] : [{ deviceId, place: `${source}:${index + 1}` }];
  });
  const [first] = rows;
  if (first && /^[[{]/.test(first.deviceId)) throw new Error(`${source} looks like JSON: list an id a line, or CSV`);
  const odd = rows.find((row) => /[,;\t]/.test(row.deviceId) || (row === first && bare(row.deviceId) === bare(ID)));
  if (odd) {
    throw new Error(
      `${odd.place}: ${JSON.stringify(odd.deviceId)} looks like CSV, and not like an id: name the column of the ids with --column`,
    );
  }
  return rows;
}

const ID = "deviceId";

/** Columns that are looked at, beside that of the ids. */
const COLUMNS = ["site", "businessId", "kind"];

/**
 * The devices of a CSV file with a header, with commas, semicolons or tabs between the fields. The columns `site`,
 * `businessId` and `kind` are used if they are there, in upper or lower case, also as `Business ID`.
 * @param column the column of the ids
 * @throws Error that says what is wrong with the file
 */
export function rowsOfCsv(text: string, source: string, column: string): List {
  const [header, ...lines] = readCsv(text, source);
  const names = header?.record ?? [];
  const idAt = columnOf(names, column, source);
  if (idAt < 0) {
    const found = names.length > 0 ? names.join(", ") : "nothing";
    throw new Error(
      `${source} has no column ${column}; its header is ${found}. Name the column of the ids with --column`,
    );
  }
  const others = COLUMNS.map((name) => [name, columnOf(names, name, source)] as const).filter(
    ([, at]) => at >= 0 && at !== idAt,
  );
  const unused = names.filter((_, at) => at !== idAt && others.every(([, other]) => other !== at));
  const business = unused.find((name) => bare(name) === "business");
  if (business !== undefined) {
    throw new Error(
      `${source}: what is the column ${business}? Call it businessId where it has the ids of businesses, and else not business`,
    );
  }
  const rows = lines.map(({ record, info }) => {
    const given = others.flatMap(([name, at]) => (record[at] ? [[name, record[at]]] : []));
    return { deviceId: record[idAt] ?? "", ...Object.fromEntries(given), place: `${source}:${info.lines}` };
  });
  const without = lines.filter(({ record }) => !record[idAt] && record.some(Boolean));
  return {
    rows: rows.filter(({ deviceId }) => deviceId !== ""),
    notes: [
      ...(unused.length > 0 ? [`columns of ${source} that are not looked at: ${unused.join(", ")}`] : []),
      ...(without.length > 0
        ? [
            `rows of ${source} without an id, which are left out: ${without.length}, the first in line ${without[0]?.info.lines}`,
          ]
        : []),
    ],
  };
}

/** Where a column is, best as it is written here; less than 0 if it is not there. @throws Error if there are two */
function columnOf(names: readonly string[], column: string, source: string): number {
  const isWritten = names.includes(column);
  const found = names.filter((name) => (isWritten ? name === column : bare(name) === bare(column)));
  if (found.length > 1) throw new Error(`${source} has the columns ${found.join(" and ")}: leave one of them`);
  return names.indexOf(found[0] as string);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

interface Line {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function readCsv(text: string, source: string): Line[] {
  const options = { delimiter: delimiterOf(text), bom: true, trim: true, skip_empty_lines: true, info: true };
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
export function readRows(ids: readonly string[], { devices, column }: { devices?: string; column?: string }): List {
  const named = ids.map((deviceId) => ({ deviceId, place: "command line" }));
  if (devices === undefined) return { rows: named, notes: [] };
  const source = devices === "-" ? "standard input" : devices;
  const text = textOf(devices === "-" ? 0 : devices, source);
  const isCsv = column !== undefined || extname(devices).toLowerCase() === ".csv";
  const { rows, notes } = isCsv ? rowsOfCsv(text, source, column ?? ID) : { rows: rowsOfText(text, source), notes: [] };
  return { rows: [...named, ...rows], notes };
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
