import { numberReader } from "./numbers";
import { PointList, type Points } from "./points";
import { type Table, timedRows } from "./table";

/** The sensors in a file of Home Assistant. */
export interface Sensors {
  readonly sensors: ReadonlyMap<string, { readonly points: Points; readonly unit?: string }>;
  /** Whether any time used the given zone. */
  readonly usedZone: boolean;
  /** Whether values are changes; otherwise they are statistics of the add-on, each of an hour. */
  readonly isOfChanges: boolean;
}

/** Whether a table is Home Assistant's history, or statistics of the add-on: each row names its sensor. */
export function isHistory({ head }: Table): boolean {
  const has = (...words: string[]) => words.every((word) => head.includes(word));
  return has("entity_id", "last_changed") || has("statistic_id", "start");
}

/** Reads all sensors of a history. @throws Error with the line of a time that cannot be read */
export function sensorsOf(table: Table, timeZone: string | undefined): Sensors {
  const { head, samples, delimiter } = table;
  const isOfChanges = head.includes("last_changed");
  const names = (head.split("\n").at(-1) ?? "").split(delimiter).map((cell) => cell.trim());
  const [id, state, unit] = [isOfChanges ? "entity_id" : "statistic_id", "state", "unit"].map((name) =>
    names.indexOf(name),
  ) as [number, number, number];
  const read = numberReader(
    samples.map((cells) => cells[state] ?? ""),
    delimiter,
  );
  const all = new Map<string, { readonly points: PointList; readonly unit?: string }>();
  const { rows, clock } = timedRows(table, timeZone);
  for (const [at, cells] of rows) {
    const sensor = cells[id] ?? "";
    const known = all.get(sensor) ?? { points: new PointList(), ...(unit >= 0 && { unit: cells[unit] ?? "" }) };
    // A state of statistics is from the end of the hour; its time is the start.
    known.points.add(isOfChanges ? at : at + 3600, read(cells[state] ?? ""));
    all.set(sensor, known);
  }
  const sensors = new Map(Array.from(all, ([name, one]) => [name, { ...one, points: one.points.all() }]));
  return { sensors, usedZone: clock.usedZone, isOfChanges };
}
