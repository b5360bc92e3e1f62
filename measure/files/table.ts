import { numberReader } from "./numbers";
import { isJson, jsonOf, rowsIn } from "./objects";
import { unitIn } from "./quantity";
import { type Cells, cellsOf, linesIn, type Row, rowsOf } from "./rows";
import { beginningOf, type Pieces } from "./text";
import { isTime, timeKindOf, timeReader, zoneIn } from "./times";

/** A file of rows: the first step of reading it. */
export interface Table {
  /** The name of each column: its cells above the data, joined. */
  readonly names: readonly string[];
  /** Reads the rows below the names. @param isNeeded whether a row with this text is needed; if in doubt, it is read */
  readonly rows: (isNeeded?: (line: string) => boolean) => Iterable<Row>;
  /**
   * The cells of some rows from all parts of the file. They decide the meaning of commas, and the order of day and
   * month.
   */
  readonly samples: readonly Cells[];
  /** The number of the last row. */
  readonly last: number;
  /** The word for a row in messages. */
  readonly noun: "line" | "entry";
  readonly delimiter: string;
  /** The text above the data. Messages must not quote it: portals write the customer's name there. */
  readonly head: string;
  /** The columns of a row's time, and of the end of its step. */
  readonly time: Moment;
  readonly end?: Moment;
  /** The zone that the header names. */
  readonly zone?: string | undefined;
}

/** The column of a time, or those of its day and of its hour. */
interface Moment {
  readonly day: number;
  readonly hour?: number;
  /** The first hour of a day, 0 or 1, if hours are numbers. */
  readonly firstHour?: number;
}

const DELIMITERS = [";", "\t", ",", "|"] as const;

/** Maximum number of lines above the data. */
const MOST_HEAD = 60;

/** Maximum number of lines below the data, such as totals. */
const MOST_BELOW = 20;

/** Maximum number of lines of a table (our choice). A year of steps of 10 seconds has 3.2 million. */
const MOST_LINES = 3_500_000;

/** Maximum number of samples, and of samples that decide which columns are times. */
const [MOST_SAMPLES, SOME_SAMPLES] = [5000, 400];

/** Names of columns: hours that are numbers, a start, an end. */
const HOUR_NAME = /^(hora|ora|hour|hr|he|stunde|heure|uur|time|godzina)\b/i;
const END_NAME = /\b(end|ende|ended|bis|until|to|tot|fin|fine|stop|hasta|finished)\b|end$|_to\b/i;

/** The letter of the phase in the header of its file. In the joined file, the first letter would name all phases. */
const PHASE = /(?<=Wh) \([ABC]\)/g;

/**
 * The files of one device as one table: of its months, or of its phases. Each row has the name of its file, so that
 * phases stay apart.
 * @throws Error if the columns differ
 */
export function joined(tables: readonly Table[]): Table {
  const [first, ...rest] = tables as [Table];
  if (rest.length === 0) return first;
  const columns = tables.map(({ names }) => names.map((name) => name.replace(PHASE, "")));
  if (new Set(columns.map(String)).size > 1)
    throw new Error("files of one device need the same columns: give other files one by one");
  const withFile = (cells: Cells, i: number) => [...first.names.map((_, column) => cells[column] ?? ""), `L${i + 1}`];
  return {
    ...first,
    names: [...(columns[0] ?? []), "file"],
    *rows(isNeeded) {
      for (const [i, one] of tables.entries())
        for (const { cells, number } of one.rows(isNeeded)) yield { cells: withFile(cells, i), number };
    },
    samples: tables.flatMap(({ samples }, i) => samples.map((cells) => withFile(cells, i))),
    last: tables.reduce((sum, { last }) => sum + last, 0),
  };
}

/**
 * Reads a file of rows without changing them.
 * @throws Error if no row has a time
 */
export function plainTableOf(pieces: Pieces): Table {
  if (isJson(pieces)) return tableOfJson(jsonOf(pieces));
  const delimiter = delimiterOf(pieces);
  const { rows: sampled, last } = samplesOf(pieces, delimiter);
  const times = timesIn(sampled);
  const first = times && firstRow(pieces, delimiter, times, sampled);
  if (!first)
    throw new Error(
      "line 1: the file has no row with a date and a value: export a table with the date and the time in each row",
    );
  const { row, heads } = first;
  const { number: from, cells: begin } = row;
  const samples = sampled.filter(({ number }) => number >= from).map(({ cells }) => cells);
  const names = namesOf(heads, begin, times.time.day);
  return {
    names,
    *rows(isNeeded) {
      for (const one of rowsOf(pieces, delimiter, isNeeded)) if (one.number >= from) yield one;
    },
    ...{ samples, last, noun: "line", delimiter, ...withZone(withHours(times, names, samples), names) },
    head: heads.map((cells) => cells.join(delimiter)).join("\n"),
  };
}

/** The table of a service's answer in JSON. @throws Error if nothing in it has a time */
function tableOfJson(json: unknown): Table {
  const [names = [], ...all] = rowsIn(json);
  const rows = all.map((cells, i): Row => ({ cells, number: i + 1 }));
  const times = timesIn(rows);
  if (!times)
    throw new Error("nothing in this JSON has a time and a value, as sessions and hours have: export those, or CSV");
  return {
    ...{ names, rows: () => rows, last: all.length, noun: "entry" },
    // Some of all parts: a series of an answer can begin behind thousands of others.
    samples: all.filter((_, i) => i % Math.ceil(all.length / MOST_SAMPLES) === 0),
    ...{ delimiter: ",", head: names.join(), ...withZone(withHours(times, names, all), names) },
  };
}

/**
 * Some lines from all parts of the file.
 * @throws Error if there are too many lines
 */
function samplesOf(pieces: Pieces, delimiter: string): { readonly rows: Row[]; readonly last: number } {
  let samples: [line: string, number: number][] = [];
  let [last, every] = [0, 1];
  for (const [line, number] of linesIn(pieces, (one) => one % every === 0)) {
    last = number;
    if (number > MOST_LINES)
      throw new Error(`the file has more than ${MOST_LINES} lines: export fewer days, or longer steps`);
    if (samples.push([line, number]) < MOST_SAMPLES) continue;
    every *= 2;
    samples = samples.filter(([, one]) => one % every === 0);
  }
  const rows = samples.map(([line, number]) => ({ cells: cellsOf(line, delimiter) ?? [], number }));
  return { rows: rows.filter(({ cells }) => cells.length > 1), last };
}

type Times = Pick<Table, "time" | "end">;

/**
 * The columns of times: those in which most rows have a time. A date above the table is in few rows. A number counts as
 * a time only if the file has no other times, and only if the numbers in its column differ: the number of a device has
 * as many digits.
 */
function timesIn(rows: readonly Row[]): Times | undefined {
  const days = rows.filter(({ cells }) => cells[0] === "300" && timeKindOf(cells[1] ?? "") === "day");
  // NEM12: the days have the time of their last change too.
  if (days.length > 0.4 * rows.length) return { time: { day: 1 } };
  const some = rows.filter((_, i) => i % Math.ceil(rows.length / SOME_SAMPLES) === 0);
  const columns = Array.from({ length: Math.max(0, ...some.map(({ cells }) => cells.length)) }, (_, column) => {
    const cells = some.map((row) => (row.cells[column] ?? "").trim());
    const kinds = cells.map(timeKindOf);
    const of = (kind: string, { isDigits }: { readonly isDigits: boolean }) =>
      cells.filter((cell, i) => kinds[i] === kind && /^\d+$/.test(cell) === isDigits).length;
    const [digits, words] = [{ isDigits: true }, { isDigits: false }];
    const differ = new Set(cells.filter((_, i) => kinds[i] !== undefined)).size;
    const texts = { day: of("day", words), moment: of("moment", words) };
    const numbers = {
      day: of("day", digits),
      moment: of("moment", digits) + of("number", digits) + of("number", words),
    };
    return { column, hours: of("hour", words), texts, numbers, differ };
  });
  const countOf = (one: { readonly day: number; readonly moment: number }) => one.day + one.moment;
  const mostOf = (all: readonly number[]) => Math.max(0, ...all);
  const changing = columns.filter(
    ({ differ, numbers }) => differ >= Math.min(3, countOf(numbers), 0.05 * countOf(numbers) + 2),
  );
  const most = mostOf(columns.map(({ texts }) => countOf(texts)));
  const isOfNumbers = most < 0.3 * mostOf(changing.map(({ numbers }) => countOf(numbers)));
  const all = (isOfNumbers ? changing : columns).map(({ column, texts, numbers }) => ({
    column,
    ...(isOfNumbers ? numbers : texts),
  }));
  const limit = 0.6 * mostOf(all.map(countOf));
  if (limit === 0) return undefined;
  const found = all.filter((one) => countOf(one) >= limit);
  const [moment, until] = found.filter((one) => one.moment >= one.day).map(({ column }) => column);
  if (moment !== undefined) return { time: { day: moment }, ...(until !== undefined && { end: { day: until } }) };
  const [day, lastDay] = found.map(({ column }) => column) as [number, number | undefined];
  const [hour, lastHour] = columns.filter(({ hours }) => hours >= limit).map(({ column }) => column);
  const end = lastHour !== undefined && { end: { day: lastDay ?? day, hour: lastHour } };
  return { time: { day, ...(hour !== undefined && { hour }) }, ...end };
}

/** The first row with a time and the usual number of cells, and the rows above it. */
function firstRow(pieces: Pieces, delimiter: string, { time: { day } }: Times, sampled: readonly Row[]) {
  const isOfTime = ({ cells }: Row) => isTime(cells[day] ?? "");
  const widths = new Map<number, number>();
  for (const { cells } of sampled.filter(isOfTime)) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  const [width] = [...widths].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
  const heads: Cells[] = [];
  for (const row of rowsOf(pieces, delimiter)) {
    if (isOfTime(row) && row.cells.length === width) return { row, heads };
    if (heads.push(row.cells) > MOST_HEAD) return undefined;
  }
  return undefined;
}

/** Cells below a name: a unit, a format, or the kind of a channel. */
const BELOW = /^(analog|status|digital|[([].*[)\]])?$/i;

/**
 * The names of columns: the lowest row with names, and the units below it. The rows above it are titles, and can name
 * the customer.
 */
function namesOf(heads: readonly Cells[], begin: Cells, time: number): string[] {
  const width = (cells: Cells) => (cells.at(-1)?.trim() === "" ? cells.length - 1 : cells.length);
  const own = (row: Cells) => row.filter((cell, i) => i !== time && !BELOW.test(cell) && unitIn(cell) !== cell);
  const gap = (row: Cells) => (row.length === begin.length ? 0 : Math.abs(width(row) - width(begin)));
  const all = heads.map((row) => row.map((cell) => cell.trim()));
  // A wide table may have columns without a name at its end. A narrower row below the names, such as a sum, has none.
  const least = Math.min(begin.length / 4, ...all.filter((row) => own(row).length > 0).map(gap));
  const rows = all.filter((row) => gap(row) <= least);
  const most = Math.max(0, ...rows.map((row) => own(row).length));
  const below = rows.slice(
    Math.max(
      0,
      rows.findLastIndex((row) => own(row).length > 0.5 * most),
    ),
  );
  const found = begin.map((_, column) => {
    const cells = below.map((row) => row[column] ?? "");
    return cells
      .filter((cell, i) => cell !== "" && !/^(analog|status|digital)$/i.test(cell) && cells.indexOf(cell) === i)
      .join(" ");
  });
  return found.map((name, i) => {
    const same = found.flatMap((other, at) => (other === name && name !== "" ? [at] : []));
    return same.length > 1 ? `${name} ${same.indexOf(i) + 1}` : name;
  });
}

/** The times. Hours can be numbers: `Hora` from 1 to 24. */
function withHours(times: Times, names: readonly string[], samples: readonly Cells[]): Times {
  const { time, end } = times;
  // InfluxDB writes the bounds of the query into each row.
  const ofInflux = names.indexOf("_time");
  if (ofInflux >= 0) return { time: { day: ofInflux } };
  if (end || time.hour !== undefined || !samples.every((cells) => timeKindOf(cells[time.day] ?? "") !== "moment"))
    return times;
  const hour = names.findIndex((name, column) => {
    const cells = samples.map((cells) => cells[column] ?? "").filter(Boolean);
    return (
      HOUR_NAME.test(name) && cells.length > 0 && cells.every((cell) => /^\d{1,2}$/.test(cell) && Number(cell) <= 25)
    );
  });
  if (hour < 0) return times;
  const firstHour = samples.some((cells) => Number(cells[hour]) === 0) ? 0 : 1;
  return { time: { day: time.day, hour, firstHour } };
}

function withZone(times: Times, names: readonly string[]): Times & Pick<Table, "zone"> {
  const { day, hour = -1 } = times.time;
  return { ...times, zone: zoneIn(`${names[day]} ${names[hour] ?? ""}`) };
}

/** Whether a column has the times of a row. */
export function isTimeColumn({ time, end }: Table, column: number): boolean {
  return [time.day, time.hour, end?.day, end?.hour].includes(column);
}

/** The moment of a step that the time of its row means, if the names of the columns show it. */
export function labelOf({ names, time, end }: Table): "start" | "end" | undefined {
  const name = names[time.hour ?? time.day] ?? "";
  // The end of a step can stand before its start.
  if (END_NAME.test(name)) return "end";
  return end || /\b(start|begin|beginn|from|von|van|debut|début|inicio)\b/i.test(name) ? "start" : undefined;
}

/**
 * The rows of a table with their times, and the clock that reads them.
 * @param timeOf the text of a row's time. Rows without a time are left out
 * @param isNeeded whether to read a row
 */
export function timedRows(
  table: Table,
  timeZone: string | undefined,
  timeOf: (cells: Cells) => string = momentOf(table.time),
  isNeeded: (cells: Cells) => boolean = () => true,
) {
  const { samples, names, time, noun } = table;
  const clock = timeReader(samples.map(timeOf), timeZone);
  /** @throws Error with line and column at the first time that cannot be read */
  function* read(): Generator<readonly [at: number, cells: Cells]> {
    // Joined files repeat their header.
    const headers = new Set(table.head.split("\n").map((line) => timeOf(line.split(table.delimiter)).trim()));
    let wrong: string | undefined;
    let count = 0;
    for (const { cells, number } of table.rows()) {
      if (!isNeeded(cells)) continue;
      const text = timeOf(cells);
      const at = clock.read(text);
      if (!Number.isNaN(at)) {
        // Lines of totals below the table have no time.
        if (wrong !== undefined) throw new Error(wrong);
        yield [at, cells];
      } else if (text.trim() !== "" && !headers.has(text.trim())) {
        const column = cells.includes(text) ? cells.indexOf(text) : time.day;
        const name = names[column] ? ` (${names[column]})` : "";
        wrong ??= `${noun} ${number}, column ${column + 1}${name}: not a time`;
        count++;
      }
    }
    if (count > MOST_BELOW) throw new Error(wrong);
  }
  return { rows: read(), clock };
}

/** Reads the numbers in some cells of a table's rows. @param cellOf the text of a number in a row */
export function numberIn(
  { samples, delimiter }: Pick<Table, "samples" | "delimiter">,
  cellOf: (cells: Cells) => string,
): (cells: Cells) => number {
  const read = numberReader(samples.map(cellOf), delimiter);
  return (cells) => read(cellOf(cells));
}

/** The text of a time in a row. */
export function momentOf({ day, hour, firstHour }: Moment): (cells: Cells) => string {
  if (hour === undefined) return (cells) => cells[day] ?? "";
  if (firstHour === undefined) return (cells) => `${cells[day] ?? ""} ${cells[hour] ?? ""}`;
  return (cells) => `${cells[day] ?? ""} ${Number(cells[hour]) - firstHour}:00`;
}

/** The delimiter that occurs equally often in most lines. Commas are tried late, because they may be decimal signs. */
function delimiterOf(pieces: Pieces): string {
  const lines = beginningOf(pieces, 20_000)
    .toString()
    .split(/\r\n?|\n/)
    .filter(Boolean);
  const said = /^\ufeff?sep=(.)/.exec(lines[0] ?? "")?.[1];
  if (said) return said;
  const some = lines.slice(Math.min(lines.length - 1, 15), 60);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = some.map((line) => line.split(delimiter).length - 1);
    return { delimiter, share: counts.filter((count) => count > 0).length / counts.length };
  });
  return scores.find(({ share }) => share > 0.8)?.delimiter ?? ",";
}
