import { Column } from "../sky/series";
import { tableOf } from "./dayRows";
import { formOf } from "./forms";
import { keyOf, keysIn, labelsOf, ofSensors } from "./keys";
import { LAYOUTS, type Layout } from "./layouts";
import { numberReader } from "./numbers";
import type { Label, Points } from "./points";
import { factorOf, type Unit, unitIn } from "./quantity";
import type { Cells } from "./rows";
import { isTimeColumn, labelOf, type Table, timedRows } from "./table";
import type { Pieces } from "./text";

/** A file of series: columns, sensors or metrics. */
export interface Sheet {
  /** The format of the file. */
  readonly format: string;
  readonly series: readonly SheetSeries[];
  /** The word for a series in messages. */
  readonly noun: "column" | "sensor";
  /** The moment of its step that a time means. Absent if the format does not define it. */
  readonly label?: Label | undefined;
  /** The layout of the system's files, if the system is known. */
  readonly layout?: Layout | undefined;
  /** The zone that the header names. */
  readonly zone?: string | undefined;
  /**
   * Reads several series in one pass.
   * @throws Error with line and column at the first time that cannot be read
   */
  readonly read: (chosen: readonly SheetSeries[]) => Values;
}

/** One series of a file: a column, or its cells in the rows of a key. */
export interface SheetSeries {
  /** The name of the column, sensor or metric. */
  readonly name: string;
  /** The unit that the file names. */
  readonly unit?: Unit | undefined;
  /** The label of its rows, if several series share a column. */
  readonly key?: string | undefined;
  /** Whether it has numbers other than 0. */
  readonly hasNumbers: boolean;
  /** Reads the number of a row. */
  readonly numberIn: (cells: Cells) => number;
}

export interface Values {
  /** The points of each series. */
  readonly points: readonly Points[];
  /** Whether any time used the given zone. */
  readonly usedZone: boolean;
}

/** The series in the files of one device. @param timeZone the zone of times without an offset @throws Error, with the line if there is one */
export function sheetOf(files: readonly Pieces[], timeZone: string | undefined): Sheet {
  const table = tableOf(files);
  // Without this, a file of sessions would be read as a meter, and give a wrong base load.
  if (formOf(table)) throw new Error("this is a list of charging sessions: give it with --sessions");
  return sheetIn(table, timeZone);
}

/** Names of a column of units, and cells with a unit behind their number. */
const UNIT_NAME = /^(unit|units|uom|einheit|eenheid|unite|unité|unidad|unità|consumptionUnit|measureunit)$/i;
const WITH_UNIT = /^\s*([-+]?(?:[\d.,'] ?)+)\s*([kM]?Wh?)\s*$/i;

export function layoutOf({ head }: Table): Layout | undefined {
  return LAYOUTS.find(({ sign }) => sign.test(head));
}

/** The series in a table. @throws Error with line and column at the first time that cannot be read */
export function sheetIn(given: Table, timeZone: string | undefined): Sheet {
  const layout = layoutOf(given);
  const sensor = layout?.sensor === undefined ? -1 : given.names.indexOf(layout.sensor);
  const table = sensor < 0 ? given : ofSensors(given, sensor);
  const { names, samples } = table;
  const keys = sensor < 0 ? keysIn(table) : { columns: [sensor], names: labelsOf(samples, [sensor]) };
  const units = names.findIndex((name, column) => !isTimeColumn(table, column) && UNIT_NAME.test(name.trim()));
  const series: SheetSeries[] = [];
  for (const [column, name] of names.entries()) {
    if (isTimeColumn(table, column) || column === units || keys?.columns.includes(column)) continue;
    if (layout?.value?.test(name) === false) continue;
    for (const key of keys?.names ?? [undefined]) {
      const some = key === undefined || !keys ? samples : samples.filter((cells) => keyOf(keys.columns)(cells) === key);
      const cells = some.map((one) => one[column] ?? "").filter((cell) => cell.trim() !== "");
      const isOfUnits = cells.filter((cell) => WITH_UNIT.test(cell)).length > 0.5 * cells.length;
      const ofRow = some.map((one) => one[units] ?? "").find((cell) => cell !== "");
      const ofCells = cells.flatMap((cell) => WITH_UNIT.exec(cell)?.[2] ?? [])[0];
      // Units in cells are converted. Of several places with a unit, the one nearest to the numbers counts.
      const unit =
        (isOfUnits && unitIn(ofCells?.replace(/^[kM]/, "") ?? "")) ||
        (ofRow !== undefined && unitIn(ofRow)) ||
        (unitIn(name) ?? layout?.unit);
      const isWhole = unit === "W" || unit === "Wh";
      const read = isOfUnits
        ? withUnits(
            numberReader(
              cells.map((cell) => WITH_UNIT.exec(cell)?.[1] ?? ""),
              table.delimiter,
            ),
          )
        : numberReader(cells, table.delimiter, { isWhole });
      const numbers = cells.map(read).filter((one) => !Number.isNaN(one));
      const other = ofRow !== undefined && unitIn(ofRow) === undefined ? ` [${ofRow}]` : "";
      const own = [key, name || `column ${column + 1}`].filter(Boolean).join(" ");
      series.push({
        name: sensor < 0 ? shortened(own + other) : `${key}${ofRow ? ` [${ofRow}]` : ""}`,
        unit,
        key,
        hasNumbers: numbers.length > 0.2 * cells.length && numbers.some((one) => one !== 0) && !areIds(cells),
        numberIn: (row) => read(row[column] ?? ""),
      });
    }
  }
  return {
    format: layout?.system ?? "table",
    series,
    noun: sensor < 0 ? "column" : "sensor",
    layout,
    zone: table.zone,
    label: layout?.label ?? labelOf(table),
    read: (chosen) => readSeries(table, chosen, keys && keyOf(keys.columns), { timeZone, later: layout?.later ?? 0 }),
  };
}

/** Whether cells are the numbers of devices: long numbers, of which few are different. */
function areIds(cells: readonly string[]): boolean {
  return cells.every((cell) => /^[="]*\d{7,}"?$/.test(cell)) && new Set(cells).size < 0.02 * cells.length + 3;
}

/** Reads `2.31 kW` in W. */
function withUnits(read: (text: string) => number): (text: string) => number {
  return (text) => {
    const [, number, unit] = WITH_UNIT.exec(text) ?? [];
    return number === undefined ? read(text) : read(number) * factorOf(unitIn(unit as string) as Unit);
  };
}

/** The name with long numbers shortened, because they identify meters and customers. */
function shortened(name: string): string {
  return name
    .replace(/="?|"/g, "")
    .replace(/(?<![\w.])[A-Z\d]{6,}/g, (id) => (/\d{5}/.test(id.slice(1)) ? `…${id.slice(-4)}` : id));
}

/** @throws Error with line and column at the first time that cannot be read */
function readSeries(
  table: Table,
  all: readonly SheetSeries[],
  keyIn: ((cells: Cells) => string) | undefined,
  { timeZone, later }: { readonly timeZone: string | undefined; readonly later: number },
): Values {
  const chosen = new Set(all.map(({ key }) => key));
  const { rows, clock } = timedRows(table, table.zone ?? timeZone, undefined, (cells) => chosen.has(keyIn?.(cells)));
  const lists = all.map(() => ({ times: new Column(), values: new Column() }));
  for (const [at, cells] of rows) {
    const key = keyIn?.(cells);
    for (const [i, one] of all.entries())
      if (key === one.key) {
        lists[i]?.times.add(at + later);
        lists[i]?.values.add(one.numberIn(cells));
      }
  }
  const points = lists.map(({ times, values }) => ({ times: times.all(), values: values.all() }));
  return { points, usedZone: clock.usedZone };
}

/**
 * The series with these names. A given name may be a part of the series' name.
 * @throws Error if none has it, or if several have a part of it
 */
export function namedSeries(all: readonly SheetSeries[], given: readonly string[], noun: string): SheetSeries[] {
  return given.flatMap((one) => {
    const lower = one.trim().toLowerCase();
    const same = all.filter(({ name }) => name.toLowerCase() === lower);
    const found =
      same.length > 0 || lower === ""
        ? same
        : withNumbers(all.filter(({ name }) => name.toLowerCase().includes(lower)));
    if (found.length === 0) throw new Error(`there is no ${noun} '${one}'. ${listOf(all, noun)}`);
    if (found.length > 1) throw new Error(`--column '${one}' fits several: ${namesIn(found)}. ${HOW_TO_CHOOSE}`);
    return found;
  });
}

/** Advice if several series are possible. */
export const HOW_TO_CHOOSE =
  "Choose one with --column; if they are parts of one flow, give all of them, and they are added";

/** Names as a list: `a`, `a and b`, `a, b or c`. */
export function listed(names: readonly string[], word: "and" | "or" = "and"): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${last}` : last;
}

/** `'a', 'b' or 'c'`. */
export function namesIn(all: readonly SheetSeries[], word: "and" | "or" = "or"): string {
  return listed(
    all.slice(0, 20).map(({ name }) => `'${name}'`),
    word,
  );
}

/** The series with numbers; all, if none has. Without this, each register of a meter would be listed with its codes. */
function withNumbers(all: readonly SheetSeries[]): readonly SheetSeries[] {
  const known = all.filter(({ hasNumbers }) => hasNumbers);
  return known.length > 0 ? known : all;
}

/** `The file has 'a' and 'b'`. */
export function listOf(all: readonly SheetSeries[], noun: string): string {
  return all.length > 0 ? `The file has ${namesIn(withNumbers(all), "and")}` : `The file has no ${noun}`;
}
