import { median } from "../sky/numbers";
import { FLOWS } from "./layouts";
import type { Cells } from "./rows";
import { isTimeColumn, momentOf, type Table } from "./table";
import { isTime, timeReader } from "./times";

/** Number of rows that are looked at, and maximum number of series. */
const [SOME_ROWS, MOST_KEYS] = [4000, 40];

/** The columns that distinguish the series of a table with several rows for each time, and the names of the series. */
export interface Keys {
  readonly columns: readonly number[];
  readonly names: readonly string[];
}

/**
 * The columns that distinguish the rows of one time, such as a register, a meter or a device; undefined if each time
 * has one row.
 */
export function keysIn(table: Table): Keys | undefined {
  const { last, names } = table;
  const samples = table.samples.filter((cells) => isTime(cells[table.time.day] ?? ""));
  const some: Cells[] = [];
  let first = 0;
  for (const { cells, number } of table.rows()) {
    first ||= number;
    if (isTime(cells[table.time.day] ?? "") && some.push(cells) === SOME_ROWS) break;
  }
  const textOf = momentOf(table.time);
  const clock = timeReader(samples.map(textOf), table.zone ?? "UTC");
  const timesOf = (rows: readonly Cells[]) =>
    rows.map((cells) => clock.read(textOf(cells))).filter((at) => !Number.isNaN(at));
  const times = timesOf(some);
  const step = median(
    times
      .slice(1)
      .map((at, i) => Math.abs(at - (times[i] as number)))
      .filter((gap) => gap > 0),
  );
  const sorted = timesOf(samples).sort((a, b) => a - b);
  const expected = ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / step + 1;
  const isLong = new Set(times).size < 0.9 * times.length || (names.length > 2 && last - first + 1 > 1.3 * expected);
  const rows = [...new Map(some.map((cells) => [cells.join("\n"), cells])).values()];
  const all = [...rows, ...samples];
  if (!isLong) {
    // Prometheus also names a series that is the only one.
    const metric = names.indexOf("__name__");
    return metric < 0 ? undefined : { columns: [metric], names: labelsOf(all, [metric]) };
  }
  const candidates = names.flatMap((_, column) => {
    const labels = isTimeColumn(table, column) ? [] : labelsOf(all, [column]);
    const isWord =
      labels.length > 1 && labels.length <= MOST_KEYS && !labels.some((one) => /^-?\d*[.,]\d+$|^-?\d{0,3}$/.test(one));
    return isWord ? [column] : [];
  });
  const isUnique = (columns: readonly number[]) =>
    new Set(rows.map((cells) => `${textOf(cells)}\n${keyOf(columns)(cells)}`)).size > 0.99 * rows.length;
  const isOfBlocks = (columns: readonly number[]) => {
    const labels = samples.map(keyOf(columns));
    return labels.filter((one, i) => i > 0 && one !== labels[i - 1]).length <= labelsOf(all, columns).length + 2;
  };
  // Names of flows count before names of devices.
  const unknown = (column: number) =>
    labelsOf(all, [column]).filter((one) => !FLOWS.some(([, words]) => words.test(one))).length;
  const single = candidates.toSorted((a, b) => unknown(a) - unknown(b)).map((column) => [column]);
  const pairs = single.flatMap((a, i) => single.slice(i + 1).map((b) => [...a, ...b]));
  const columns = [...single, ...pairs].find(
    (one) => isUnique(one) && (new Set(times).size < 0.9 * times.length || isOfBlocks(one)),
  );
  return columns && { columns, names: labelsOf(all, columns) };
}

/**
 * The label of a row's series.
 * @param columns the columns that distinguish the series
 */
export function keyOf([first = -1, ...others]: readonly number[]): (cells: Cells) => string {
  const at = (cells: Cells, column: number) => (cells[column] ?? "").trim();
  return (cells) => others.reduce((key, column) => `${key} ${at(cells, column)}`, at(cells, first));
}

/** The labels of rows, each once. */
export function labelsOf(rows: readonly Cells[], columns: readonly number[]): string[] {
  return [...new Set(rows.map(keyOf(columns)))];
}

/** Number of rows of each sensor of which all are samples. Of the rows after them, fewer and fewer are. */
const SOME_OF_EACH = 50;

/**
 * A table whose rows each name their sensor. A row without the name is of the sensor above it, as in an answer of
 * `history/period`. The samples are some rows of each sensor, because a level is written much less often than a power.
 */
export function ofSensors(table: Table, column: number): Table {
  let sensor = "";
  const rows: Table["rows"] = function* (isNeeded) {
    sensor = "";
    for (const { cells, number } of table.rows(isNeeded)) {
      sensor = cells[column] || sensor;
      yield { cells: cells[column] === "" ? (cells as string[]).with(column, sensor) : cells, number };
    }
  };
  const counts = new Map<string, number>();
  const samples: Cells[] = [];
  const isSample = () => {
    const count = counts.get(sensor) ?? 0;
    counts.set(sensor, count + 1);
    return count % (1 << (31 - Math.clz32(count / SOME_OF_EACH + 1))) === 0;
  };
  // Of the rows that begin with the name of the sensor above them, only the samples are split.
  let [begin, isKnown] = ["\n", false];
  const isNeeded = (line: string) => {
    isKnown = line.startsWith(begin);
    return !isKnown || isSample();
  };
  for (const { cells } of rows(isNeeded)) {
    if ((isKnown || isSample()) && isTime(cells[table.time.day] ?? "")) samples.push(cells);
    if (column === 0) begin = sensor + table.delimiter;
  }
  return { ...table, rows, samples };
}
