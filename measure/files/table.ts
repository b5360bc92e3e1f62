import { numberReader } from "./numbers";
import { isJson, jsonOf, rowsIn } from "./objects";
import { type Cells, cellsOf, linesIn, type Row, rowsOf } from "./rows";
import { beginningOf, type Pieces } from "./text";
import { isTime, timeReader } from "./times";

/** A file of rows, with the lines above them. */
export interface Table {
  /** The name of each column: its cells above the data, joined. */
  readonly names: readonly string[];
  /** Reads the rows below the names. */
  readonly rows: () => Iterable<Row>;
  /** The cells of some rows, from everywhere. They decide the meaning of commas, and the order of day and month. */
  readonly samples: readonly (readonly string[])[];
  /** The number of the last row. */
  readonly last: number;
  /** The word for a row in messages. */
  readonly noun: "line" | "entry";
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

/** Maximum number of lines of a table (our choice). A year of steps of 10 seconds has 3.2 million. */
const MOST_LINES = 3_500_000;

/** Maximum number of samples. */
const MOST_SAMPLES = 5000;

const HOURS = /^\d{1,2}:\d{2}(:\d{2})?(\s*[AP]M)?$/i;

/** Reads a file of rows. @throws Error if there are none with a time */
export function tableOf(pieces: Pieces): Table {
  if (isJson(pieces)) return tableOfJson(jsonOf(pieces));
  const delimiter = delimiterOf(beginningOf(pieces, 20_000).toString());
  const heads: (readonly string[])[] = [];
  let first: Row | undefined;
  // Only the beginning, so that a large file of another kind is refused at once.
  for (const row of rowsOf(pieces, delimiter)) {
    if (row.cells.length > 1 && row.cells.some(isTime)) first = row;
    if (first || heads.length === MOST_HEAD) break;
    heads.push(row.cells);
  }
  if (!first)
    throw new Error("line 1: the file has no row with a time and a value: export a table with a time in each row");
  const { cells: begin, number: from } = first;
  const time = begin.findIndex(isTime);
  const isDate = !begin[time]?.includes(":") && begin[time]?.length === 10;
  const hours = isDate ? begin.findIndex((cell) => HOURS.test(cell.trim())) : -1;
  const names = begin.map((_, column) =>
    heads
      .filter((row) => row.length === begin.length)
      .map((row) => (row[column] ?? "").trim())
      .filter(Boolean)
      .join(" "),
  );
  return {
    names,
    *rows() {
      // Several files that were joined repeat their header.
      const headers = new Set(heads.map((cells) => cells[time]).filter((cell) => cell && !isTime(cell)));
      for (const row of rowsOf(pieces, delimiter)) if (row.number >= from && !headers.has(row.cells[time])) yield row;
    },
    ...samplesOf(pieces, from, delimiter),
    noun: "line",
    time,
    ...(hours >= 0 && { hours }),
    delimiter,
    head: heads.map((row) => row.join(delimiter)).join("\n"),
  };
}

/** @throws Error if there are too many lines */
function samplesOf(pieces: Pieces, from: number, delimiter: string): Pick<Table, "samples" | "last"> {
  let samples: string[] = [];
  let [last, count, every] = [0, 0, 1];
  for (const [line, number] of linesIn(pieces)) {
    last = number;
    if (number > MOST_LINES)
      throw new Error(`the file has more than ${MOST_LINES} lines: export fewer days, or longer steps`);
    if (number < from || count++ % every !== 0) continue;
    samples.push(line);
    if (samples.length < MOST_SAMPLES) continue;
    samples = samples.filter((_, i) => i % 2 === 0);
    every *= 2;
  }
  return { samples: samples.map((line) => cellsOf(line, delimiter) ?? []), last };
}

/** The table of a service's answer in JSON. @throws Error if nothing in it has a start and an end */
export function tableOfJson(json: unknown): Table {
  const [names = [], ...samples] = rowsIn(json);
  const [first] = samples;
  if (!first)
    throw new Error("nothing in this JSON has a start and an end, as sessions and hours have: export those, or CSV");
  return {
    ...{ names, samples, last: samples.length, noun: "entry", delimiter: ",", head: names.join() },
    rows: () => samples.map((cells, i) => ({ cells, number: i + 1 })),
    time: first.findIndex(isTime),
  };
}

/**
 * The rows of a table with their times, and the clock that reads them.
 * @param timeOf the text of a row's time. A row without one does not count
 */
export function timedRows(
  table: Table,
  timeZone: string | undefined,
  timeOf: (cells: Cells) => string = timeIn(table),
) {
  const { samples, names, time, noun, last } = table;
  const clock = timeReader(samples.map(timeOf), timeZone);
  /** @throws Error with line and column at the first time that cannot be read */
  function* read(): Generator<readonly [at: number, cells: Cells]> {
    for (const { cells, number } of table.rows()) {
      const text = timeOf(cells);
      const at = clock.read(text);
      if (!Number.isNaN(at)) yield [at, cells];
      // A line of totals at the end has no time.
      else if (number <= last - 3 && text !== "") {
        const column = cells.includes(text) ? cells.indexOf(text) : time;
        const name = names[column] ? ` (${names[column]})` : "";
        throw new Error(`${noun} ${number}, column ${column + 1}${name}: '${text.slice(0, 40)}' is not a time`);
      }
    }
  }
  return { rows: read(), clock };
}

/** Reads the numbers in some cells of a table's rows. @param cellOf the text of a number in a row */
export function numberIn({ samples, delimiter }: Table, cellOf: (cells: Cells) => string): (cells: Cells) => number {
  const read = numberReader(samples.map(cellOf), delimiter);
  return (cells) => read(cellOf(cells));
}

function timeIn({ time, hours }: Table) {
  return (cells: Cells) => (hours === undefined ? (cells[time] ?? "") : `${cells[time]} ${cells[hours]}`);
}

/** The delimiter that most lines have in equal number. A comma is tried late, because it may be a decimal sign. */
function delimiterOf(text: string): string {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r\n?|\n/)
    .filter(Boolean);
  const said = /^sep=(.)/.exec(lines[0] ?? "")?.[1];
  if (said) return said;
  const some = lines.slice(Math.min(lines.length - 1, 15), 60);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = (some.length > 0 ? some : lines).map((line) => line.split(delimiter).length - 1);
    return { delimiter, share: counts.filter((count) => count > 0).length / counts.length };
  });
  return scores.find(({ share }) => share > 0.8)?.delimiter ?? ",";
}
