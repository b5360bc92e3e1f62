import { SeriesList } from "./points";
import { numberIn, type Table, timedRows } from "./table";

/** Whether a table is Home Assistant's history, or statistics of the add-on: each row names its sensor. */
export function isHistory({ head }: Table): boolean {
  const has = (...words: string[]) => words.every((word) => head.includes(word));
  return has("entity_id", "last_changed") || has("statistic_id", "start");
}

/**
 * Reads all sensors of a history.
 * @returns also whether any time used the given zone, and whether values are changes: otherwise they are statistics of
 * the add-on, each of an hour
 * @throws Error with the line of a time that cannot be read
 */
export function sensorsOf(table: Table, timeZone: string | undefined) {
  const { head, delimiter } = table;
  const isOfChanges = head.includes("last_changed");
  const names = (head.split("\n").at(-1) ?? "").split(delimiter).map((cell) => cell.trim());
  const at = (name: RegExp) => names.findIndex((one) => name.test(one));
  const [id, state, unit] = [at(/^(entity|statistic)_id$/), at(/^state$/), at(/^unit/)];
  const valueIn = numberIn(table, (cells) => cells[state] ?? "");
  const all = new SeriesList();
  const { rows, clock } = timedRows(table, timeZone);
  let sensor = "";
  for (const [time, cells] of rows) {
    // An answer of `history/period` can name a sensor in its first state only.
    sensor = cells[id] || sensor;
    // An hourly sum stands under the start of its hour. Move it to the end.
    all.named(sensor, cells[unit]).add(isOfChanges ? time : time + 3600, valueIn(cells));
  }
  return { sensors: all.all(), usedZone: clock.usedZone, isOfChanges };
}
