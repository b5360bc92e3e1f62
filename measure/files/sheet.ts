import { Column } from "../sky/columns";
import { formOf } from "./forms";
import { isHistory, sensorsOf } from "./history";
import { numberReader } from "./numbers";
import { isJson, isObject, jsonOf } from "./objects";
import { type Label, type NamedPoints, type Points, SeriesList } from "./points";
import { type Unit, unitIn } from "./quantity";
import { type Cells, linesIn, rowsOf } from "./rows";
import { numberIn, type Table, tableOf, tableOfJson, timedRows } from "./table";
import { beginningOf, type Pieces } from "./text";
import { listed } from "./words";

/** A file of series: columns, sensors or metrics. */
export interface Sheet {
  /** The format of the file. */
  readonly format: string;
  readonly series: readonly SheetSeries[];
  /** The word for a series in messages. */
  readonly noun: "column" | "sensor" | "series" | "field";
  /** The moment of its step that a time means. Absent if the format does not define it. */
  readonly label?: Label;
  /** The likely moment if the format does not define it. */
  readonly likely: Label;
  /** Whether the file mixes hourly means with single changes, as Home Assistant's does. */
  readonly hasHours?: boolean;
  /** Reads series together. @throws Error with line and column at the first time that cannot be read */
  readonly read: (chosen: readonly SheetSeries[]) => Values;
}

/** One series of a file. */
export interface SheetSeries {
  /** The name of the column, sensor or metric. */
  readonly name: string;
  /** The unit, if the format names it elsewhere. */
  readonly unit?: Unit | undefined;
  /** Whether it has numbers other than 0. */
  readonly hasNumbers: boolean;
}

export interface Values {
  /** The points of each series. */
  readonly points: readonly Points[];
  /** Whether any time used the given zone. */
  readonly usedZone: boolean;
}

/** The series in a file. @param timeZone the zone of times without an offset @throws Error, with the line if there is one */
export function sheetOf(pieces: Pieces, timeZone: string | undefined): Sheet {
  const beginning = beginningOf(pieces, 2000)
    .toString()
    .replace(/^\ufeff/, "")
    .trimStart();
  if (isJson(pieces)) return ofJson(jsonOf(pieces), timeZone);
  if (/^#(group|datatype|default)/m.test(beginning) || /^,result,table,/.test(beginning)) return ofInflux(pieces);
  if (/^"?entity_id"?,"?type"?,"?unit"?,/.test(beginning)) return ofEnergyDashboard(pieces);
  return ofTable(tableOf(pieces), timeZone);
}

/** The series of a file that was read at once. */
function readySeries(all: readonly NamedPoints[], { usedZone = false } = {}): Pick<Sheet, "series" | "read"> {
  const known = new Map(
    all.map(({ name, unit = "", points }): [SheetSeries, Points] => [
      { name, unit: unitIn(unit), hasNumbers: points.values.some((value) => Math.abs(value) > 0) },
      points,
    ]),
  );
  return {
    series: [...known.keys()],
    read: (chosen) => ({ points: chosen.map((one) => known.get(one) as Points), usedZone }),
  };
}

/** Prometheus' answer to `query_range`, Home Assistant's to `history/period`, or an answer with objects. */
function ofJson(json: unknown, timeZone: string | undefined): Sheet {
  const data = isObject(json) ? json.data : undefined;
  const isStates = Array.isArray(json) && json.every(Array.isArray);
  const isMatrix = isObject(data) && Array.isArray(data.result);
  if (!isStates && !isMatrix) return ofTable(tableOfJson(json), timeZone);
  return {
    format: isStates ? "Home Assistant" : "Prometheus",
    ...readySeries(isStates ? homeAssistant(json) : prometheus((data as { result: unknown[] }).result)),
    noun: "series",
    likely: "middle",
  };
}

function prometheus(result: readonly unknown[]): NamedPoints[] {
  const all = new SeriesList();
  for (const { metric, values } of result.filter(isObject)) {
    const { __name__: own = "", ...labels } = (isObject(metric) ? metric : {}) as Record<string, string>;
    const more = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
    const points = all.named(more.length > 0 ? `${own}{${more.join(",")}}` : own);
    for (const [at, value] of (Array.isArray(values) ? values : []) as [number, string][])
      points.add(at, Number(value));
  }
  return all.all();
}

function homeAssistant(json: readonly Record<string, unknown>[][]): NamedPoints[] {
  const read = numberReader([], ",");
  const all = new SeriesList();
  for (const states of json) {
    const { entity_id = "", attributes } = states[0] ?? {};
    const unit = isObject(attributes) ? attributes.unit_of_measurement : undefined;
    const points = all.named(typeof unit === "string" ? `${String(entity_id)} [${unit}]` : String(entity_id));
    for (const { state, last_changed } of states)
      points.add(Date.parse(String(last_changed)) / 1000, read(String(state)));
  }
  return all.all();
}

/** InfluxDB's annotated CSV: several tables, each with a header of its own. */
function ofInflux(pieces: Pieces): Sheet {
  const all = new SeriesList();
  let header: string[] = [];
  for (const [line, number] of linesIn(pieces)) {
    const cells = line.split(",");
    if (line.startsWith("#") || cells.length < 4) header = line.startsWith("#") ? [] : header;
    else if (cells.includes("_time")) header = cells;
    else {
      const cell = (name: string) => cells[header.indexOf(name)] ?? "";
      const at = Date.parse(cell("_time")) / 1000;
      if (Number.isNaN(at))
        throw new Error(`line ${number}, column _time: '${cell("_time").slice(0, 40)}' is not a time`);
      const name = [cell("_measurement"), cell("_field")].filter(Boolean).join(".") || "_value";
      all.named(name).add(at, cell("_value") === "" ? Number.NaN : Number(cell("_value")));
    }
  }
  return { format: "InfluxDB", ...readySeries(all.all()), noun: "field", likely: "end" };
}

/** The export of Home Assistant's energy dashboard: a row for each sensor, and a column for each hour. */
function ofEnergyDashboard(pieces: Pieces): Sheet {
  const all = new SeriesList();
  const read = numberReader([], ",");
  let times: number[] = [];
  for (const { cells, number } of rowsOf(pieces, ",")) {
    const [sensor = "", type, unit = "", ...rest] = cells;
    if (sensor === "entity_id") {
      // Files that were joined have a header each, with hours of its own.
      times = rest.map((cell) => Date.parse(cell) / 1000);
      const wrong = times.findIndex(Number.isNaN);
      if (wrong < 0) continue;
      throw new Error(`line ${number}, column ${wrong + 4}: '${rest[wrong]?.slice(0, 40)}' is not a time`);
    }
    const points = all.named(`${type} of ${sensor}`, unit);
    for (const [i, time] of times.entries()) points.add(time, read(rest[i] ?? ""));
  }
  return {
    format: "Home Assistant's energy dashboard",
    ...readySeries(all.all()),
    noun: "sensor",
    label: "start",
    likely: "start",
  };
}

/** A table with a header. */
function ofTable(table: Table, timeZone: string | undefined): Sheet {
  const { names, samples, head, time, hours } = table;
  // Read as a meter, sessions would give a wrong base load.
  if (formOf(table)) throw new Error("this is a list of charging sessions: give it with --sessions");
  if (isHistory(table)) return ofHistory(table, timeZone);
  const known = KNOWN.find(({ sign }) => sign.test(head));
  const columns = new Map(
    names.flatMap((name, column): [SheetSeries, number][] => {
      if (column === time || column === hours) return [];
      const numbers = samples.map(numberIn(table, cellAt(column))).filter((one) => !Number.isNaN(one));
      const series = {
        name: name || `column ${column + 1}`,
        unit: known?.unit && !unitIn(name) ? known.unit : undefined,
        hasNumbers: numbers.length > 0.2 * samples.length && numbers.some((one) => one !== 0),
      };
      return [[series, column]];
    }),
  );
  return {
    format: known?.format ?? "table",
    series: [...columns.keys()],
    noun: "column",
    ...(known && { label: known.label }),
    likely: "start",
    read: (chosen) =>
      readColumns(
        table,
        chosen.map((one) => columns.get(one) as number),
        timeZone,
      ),
  };
}

/** @throws Error with line and column at the first time that cannot be read */
function readColumns(table: Table, columns: readonly number[], timeZone: string | undefined): Values {
  const { rows, clock } = timedRows(table, timeZone);
  const readers = columns.map((column) => numberIn(table, cellAt(column)));
  const times = new Column();
  const values = columns.map(() => new Column());
  for (const [at, cells] of rows) {
    times.add(at);
    for (const [i, read] of readers.entries()) values[i]?.add(read(cells));
  }
  return { points: values.map((own) => ({ times: times.all(), values: own.all() })), usedZone: clock.usedZone };
}

function cellAt(column: number): (cells: Cells) => string {
  return (cells) => cells[column] ?? "";
}

/** Formats whose times are known to mark the start or end of their steps. */
const KNOWN: readonly {
  readonly sign: RegExp;
  readonly format: string;
  readonly label: Label;
  readonly unit?: Unit;
}[] = [
  { sign: /Version CSV3\|/, format: "SMA", label: "end" },
  { sign: /System Production \(W\)/, format: "SolarEdge", label: "start" },
  { sign: /Energy Produced \(Wh\)/, format: "Enphase", label: "start" },
  { sign: /\[dd\.MM\.yyyy HH:mm\]/, format: "Fronius", label: "start" },
  { sign: /\ba_total_act_energy\b/, format: "Shelly", label: "start", unit: "Wh" },
  { sign: /\bconsumptionUnit\b/, format: "Tibber", label: "start", unit: "kWh" },
  {
    sign: /Statistische Zeit|Statistical Period|PV-Ertrag \(kWh\)|PV Yield \(kWh\)/i,
    format: "FusionSolar",
    label: "start",
  },
];

/** Home Assistant's history, or statistics of the add-on. */
function ofHistory(table: Table, timeZone: string | undefined): Sheet {
  const { sensors, usedZone, isOfChanges } = sensorsOf(table, timeZone);
  const named = sensors.map(({ name, unit, points }) => ({ name: unit ? `${name} [${unit}]` : name, points }));
  const series = readySeries(named, { usedZone });
  const label = isOfChanges ? "start" : "end";
  return { format: "Home Assistant", ...series, noun: "sensor", label, likely: label, hasHours: isOfChanges };
}

/** The series with a name, or with a part of it. @throws Error if there is none */
export function namedSeries(all: readonly SheetSeries[], given: string, noun: string): SheetSeries {
  const lower = given.toLowerCase();
  const found =
    all.find(({ name }) => name.toLowerCase() === lower) ??
    (lower.trim() === "" ? undefined : all.find(({ name }) => name.toLowerCase().includes(lower)));
  if (!found) throw new Error(`there is no ${noun} '${given}'. ${listOf(all, noun)}`);
  return found;
}

/** `The file has 'a' and 'b'`. */
export function listOf(all: readonly SheetSeries[], noun: string): string {
  const names = all.slice(0, 20).map(({ name }) => `'${name}'`);
  return names.length > 0 ? `The file has ${listed(names)}` : `The file has no ${noun}`;
}
