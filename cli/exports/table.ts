import { lineNumbersOf, recordsOf } from "../csv";
import { isJson, jsonOf, rowsOf } from "./objects";
import { isTime } from "./times";

/** A file of rows, with the lines above them. */
export interface Table {
  /** The name of each column: its cells above the data, joined. */
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The place of a row in the file: `line 5`. */
  readonly placeOf: (row: readonly string[]) => string;
  /** The column of the times. */
  readonly time: number;
  /** The column with the time of day, if the first one has only dates. */
  readonly hours?: number;
  readonly delimiter: string;
  /** The text above the data. */
  readonly head: string;
}

const DELIMITERS = [";", "\t", ",", "|"] as const;

/** Maximum number of lines above the data. */
const MOST_HEAD = 60;

/** Maximum number of lines of a table (our choice). A year of minutes has 525,600. */
const MOST_LINES = 1_500_000;

function lineCountOf(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

const HOURS = /^\d{1,2}:\d{2}(:\d{2})?(\s*[AP]M)?$/i;

/** Reads a file of rows. @throws Error if there are none with a time */
export function tableOf(text: string): Table {
  if (isJson(text)) return tableOfJson(jsonOf(text));
  const delimiter = delimiterOf(text);
  // Only the beginning, so that a large file of another kind is refused at once.
  const first = recordsOf(text, delimiter, MOST_HEAD).findIndex((row) => row.length > 1 && row.some(isTime));
  if (first < 0)
    throw new Error("line 1: the file has no row with a time and a value: export a table with a time in each row");
  if (lineCountOf(text) > MOST_LINES)
    throw new Error(`the file has more than ${MOST_LINES} lines: export fewer days, or longer steps`);
  const records = recordsOf(text, delimiter);
  const begin = records[first] as string[];
  const data = records.slice(first);
  const time = begin.findIndex(isTime);
  const isDate = !begin[time]?.includes(":") && begin[time]?.length === 10;
  const hours = isDate ? begin.findIndex((cell) => HOURS.test(cell.trim())) : -1;
  const heads = records.slice(0, first);
  const names = begin.map((_, column) =>
    heads
      .filter((row) => row.length === begin.length)
      .map((row) => (row[column] ?? "").trim())
      .filter(Boolean)
      .join(" "),
  );
  return {
    names,
    rows: data,
    placeOf: (row) => `line ${lineNumbersOf(text, delimiter)[records.indexOf(row as string[])] ?? 1}`,
    time,
    ...(hours >= 0 && { hours }),
    delimiter,
    head: heads.map((row) => row.join(delimiter)).join("\n"),
  };
}

/** The table of a service's answer in JSON. @throws Error if nothing in it has a start and an end */
export function tableOfJson(json: unknown): Table {
  const [names = [], ...rows] = rowsOf(json);
  const [first] = rows;
  if (!first)
    throw new Error("nothing in this JSON has a start and an end, as sessions and hours have: export those, or CSV");
  return {
    ...{ names, rows, delimiter: ",", head: names.join() },
    placeOf: (row) => `entry ${rows.indexOf(row as string[]) + 1}`,
    time: first.findIndex(isTime),
  };
}

/** Whether a table is Home Assistant's history, or statistics of the add-on: each row names its sensor. */
export function isHistoryOfSensors(head: string): boolean {
  const has = (...words: string[]) => words.every((word) => head.includes(word));
  return has("entity_id", "last_changed") || has("statistic_id", "start");
}

/** The delimiter that most lines have in equal number. A comma is tried late, because it may be a decimal sign. */
function delimiterOf(text: string): string {
  const lines = text.slice(0, 20_000).split(/\r?\n/).filter(Boolean);
  const said = /^sep=(.)/.exec(lines[0] ?? "")?.[1];
  if (said) return said;
  const some = lines.slice(Math.min(lines.length - 1, 15), 60);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = (some.length > 0 ? some : lines).map((line) => line.split(delimiter).length - 1);
    return { delimiter, share: counts.filter((count) => count > 0).length / counts.length };
  });
  return scores.find(({ share }) => share > 0.8)?.delimiter ?? ",";
}
