import { listed } from "../../provider/settings/explain";
import { isObject } from "../../provider/settings/setting";
import { recordsOf } from "../csv";
import { grouped } from "../grouped";
import { formOf } from "./forms";
import { numberReader } from "./numbers";
import { isJson, jsonOf } from "./objects";
import type { Label, Points } from "./points";
import { type Unit, unitIn } from "./quantity";
import { isHistoryOfSensors, type Table, tableOf, tableOfJson } from "./table";
import { timeReader } from "./times";

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
}

/** One series of a file. */
export interface SheetSeries {
  /** The name of the column, sensor or metric. */
  readonly name: string;
  /** The unit, if the format names it elsewhere. */
  readonly unit?: Unit | undefined;
  /** Whether it has numbers other than 0. */
  readonly hasNumbers: boolean;
  /** @throws Error with line and column at the first time that cannot be read */
  readonly read: () => Values;
}

export interface Values {
  readonly points: Points;
  /** Whether any time used the given zone. */
  readonly usedZone: boolean;
}

/** The series in a file. @param timeZone the zone of times without an offset @throws Error, with the line if there is one */
export function sheetOf(text: string, timeZone: string | undefined): Sheet {
  const beginning = text
    .slice(0, 2000)
    .replace(/^\ufeff/, "")
    .trimStart();
  if (isJson(text)) return ofJson(text, timeZone);
  if (/^#(group|datatype|default)/m.test(beginning) || /^,result,table,/.test(beginning)) return ofInflux(text);
  if (/^"?entity_id"?,"?type"?,"?unit"?,/.test(beginning)) return ofEnergyDashboard(text);
  return ofTable(tableOf(text), timeZone);
}

function seriesOf(name: string, points: Points, unit?: Unit): SheetSeries {
  return {
    name,
    unit,
    hasNumbers: points.values.some((value) => Math.abs(value) > 0),
    read: () => ({ points, usedZone: false }),
  };
}

/** Prometheus' answer to `query_range`, Home Assistant's to `history/period`, or an answer with objects. */
function ofJson(text: string, timeZone: string | undefined): Sheet {
  const json = jsonOf(text);
  const data = isObject(json) ? json.data : undefined;
  const isHistory = Array.isArray(json) && json.every(Array.isArray);
  const isMatrix = isObject(data) && Array.isArray(data.result);
  if (!isHistory && !isMatrix) return ofTable(tableOfJson(json), timeZone);
  const all = isHistory ? homeAssistant(json) : prometheus((data as { result: unknown[] }).result);
  return {
    format: isHistory ? "Home Assistant" : "Prometheus",
    series: [...all].map(([name, points]) => seriesOf(name, points)),
    noun: "series",
    likely: "middle",
  };
}

function prometheus(result: readonly unknown[]): Map<string, Points> {
  return new Map(
    result.filter(isObject).map(({ metric, values }) => {
      const { __name__: own = "", ...labels } = (isObject(metric) ? metric : {}) as Record<string, string>;
      const more = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
      const rows = (Array.isArray(values) ? values : []) as [number, string][];
      return [
        more.length > 0 ? `${own}{${more.join(",")}}` : own,
        pointsOf(rows.map(([at, value]) => [at, Number(value)])),
      ];
    }),
  );
}

function homeAssistant(json: readonly Record<string, unknown>[][]): Map<string, Points> {
  return new Map(
    json.map((states) => {
      const { entity_id = "", attributes } = states[0] ?? {};
      const unit = isObject(attributes) ? attributes.unit_of_measurement : undefined;
      const name = typeof unit === "string" ? `${String(entity_id)} [${unit}]` : String(entity_id);
      const read = numberReader([], ",");
      const rows = states.map(
        ({ state, last_changed }) => [Date.parse(String(last_changed)) / 1000, read(String(state))] as const,
      );
      return [name, pointsOf(rows)];
    }),
  );
}

/** InfluxDB's annotated CSV: several tables, each with a header of its own. */
function ofInflux(text: string): Sheet {
  const all = new Map<string, [number, number][]>();
  let header: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const cells = line.split(",");
    if (line.startsWith("#") || cells.length < 4) header = line.startsWith("#") ? [] : header;
    else if (cells.includes("_time")) header = cells;
    else {
      const cell = (name: string) => cells[header.indexOf(name)] ?? "";
      const at = Date.parse(cell("_time")) / 1000;
      if (Number.isNaN(at))
        throw new Error(`line ${index + 1}, column _time: '${cell("_time").slice(0, 40)}' is not a time`);
      const name = [cell("_measurement"), cell("_field")].filter(Boolean).join(".") || "_value";
      const rows = all.get(name) ?? [];
      rows.push([at, cell("_value") === "" ? Number.NaN : Number(cell("_value"))]);
      all.set(name, rows);
    }
  }
  return {
    format: "InfluxDB",
    series: [...all].map(([name, rows]) => seriesOf(name, pointsOf(rows))),
    noun: "field",
    likely: "end",
  };
}

/** The export of Home Assistant's energy dashboard: a row for each sensor, and a column for each hour. */
function ofEnergyDashboard(text: string): Sheet {
  const [header = [], ...rows] = recordsOf(text, ",");
  const times = Float64Array.from(header.slice(3), (cell) => Date.parse(cell) / 1000);
  const wrong = times.findIndex(Number.isNaN);
  if (wrong >= 0) throw new Error(`line 1, column ${wrong + 4}: '${header[wrong + 3]?.slice(0, 40)}' is not a time`);
  const read = numberReader([], ",");
  const series = rows.map(([sensor = "", type = "", unit = "", ...cells]) => {
    const values = Float64Array.from(times, (_, i) => read(cells[i] ?? ""));
    return seriesOf(`${type} of ${sensor}`, { times, values }, unitIn(unit));
  });
  return { format: "Home Assistant's energy dashboard", series, noun: "sensor", label: "start", likely: "start" };
}

/** A table with a header. */
function ofTable(table: Table, timeZone: string | undefined): Sheet {
  const { names, rows, head, time, hours, delimiter } = table;
  // Read as a meter, sessions would give a wrong base load.
  if (formOf(table)) throw new Error("this is a list of charging sessions: give it with --sessions");
  if (isHistoryOfSensors(head)) return ofHomeAssistant(table, timeZone);
  const known = KNOWN.find(({ sign }) => sign.test(head));
  const some = rows.filter((_, index) => index % Math.max(1, Math.floor(rows.length / 2000)) === 0);
  const series = names.flatMap((name, index): SheetSeries[] => {
    if (index === time || index === hours) return [];
    const texts = some.map((row) => row[index] ?? "");
    const numbers = texts.map(numberReader(texts, delimiter)).filter((one) => !Number.isNaN(one));
    return [
      {
        name: name || `column ${index + 1}`,
        unit: known?.unit && !unitIn(name) ? known.unit : undefined,
        hasNumbers: numbers.length > 0.2 * texts.length && numbers.some((one) => one !== 0),
        read: () => readRows(table, rows, index, timeZone),
      },
    ];
  });
  return {
    format: known?.format ?? "table",
    series,
    noun: "column",
    ...(known && { label: known.label }),
    likely: "start",
  };
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

/** Home Assistant's history, or statistics of the add-on: rows of several sensors. */
function ofHomeAssistant(table: Table, timeZone: string | undefined): Sheet {
  const { rows, head } = table;
  const isHistory = /last_changed/.test(head);
  const cells = (head.split("\n").at(-1) ?? "").split(table.delimiter).map((cell) => cell.trim());
  const at = (name: string) => cells.indexOf(name);
  const [id, state, unit] = [at(isHistory ? "entity_id" : "statistic_id"), at("state"), at("unit")];
  const series = [...grouped(rows, (row) => row[id] ?? "")].map(([sensor, own]): SheetSeries => {
    const read = () => readRows(table, own, state, timeZone);
    return {
      name: unit < 0 ? sensor : `${sensor} [${own[0]?.[unit] ?? ""}]`,
      hasNumbers: own.some((row) => Number(row[state]) !== 0),
      read: isHistory ? read : () => oneHourLater(read()),
    };
  });
  const common = { format: "Home Assistant", series, noun: "sensor" } as const;
  return isHistory
    ? { ...common, label: "start", likely: "start", hasHours: true }
    : { ...common, label: "end", likely: "end" };
}

/** The state is from the end of the hour; the time is its start. */
function oneHourLater({ points, usedZone }: Values): Values {
  return { points: { ...points, times: points.times.map((one) => one + 3600) }, usedZone };
}

/** The times and numbers of rows. @throws Error with line and column at the first time that cannot be read */
function readRows(
  table: Table,
  rows: readonly (readonly string[])[],
  column: number,
  timeZone: string | undefined,
): Values {
  const { hours, placeOf, delimiter, names, time } = table;
  const timeOf = (row: readonly string[]) => (hours === undefined ? (row[time] ?? "") : `${row[time]} ${row[hours]}`);
  const times = timeReader(rows.map(timeOf), timeZone);
  const some = rows.filter((_, i) => i % Math.ceil(rows.length / 5000) === 0);
  const numbers = numberReader(
    some.map((row) => row[column] ?? ""),
    delimiter,
  );
  const all: [number, number][] = [];
  for (const [index, row] of rows.entries()) {
    const at = times.read(timeOf(row));
    if (!Number.isNaN(at)) all.push([at, numbers(row[column] ?? "")]);
    // A line of totals at the end has no time.
    else if (index < rows.length - 3) {
      const where = `${placeOf(row)}, column ${time + 1}${names[time] ? ` (${names[time]})` : ""}`;
      throw new Error(`${where}: '${timeOf(row).slice(0, 40)}' is not a time`);
    }
  }
  return { points: pointsOf(all), usedZone: times.usedZone };
}

function pointsOf(rows: readonly (readonly [number, number])[]): Points {
  return { times: Float64Array.from(rows, ([at]) => at), values: Float64Array.from(rows, ([, value]) => value) };
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
