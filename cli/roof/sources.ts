import { isObject } from "../../provider/settings/setting";
import { numberReader } from "./numbers";
import type { Label, Points } from "./points";
import { unitIn } from "./quantity";
import { type Table, tableOf } from "./table";
import { timeReader } from "./times";

/** One series of a file, before its unit is known. */
export interface Source {
  readonly points: Points;
  /** The column, sensor or metric. */
  readonly name: string;
  /** The moment of its step that a time means. Absent if the format does not define it. */
  readonly label?: Label;
  /** The likely moment if the format does not define it. */
  readonly likely: Label;
  /** Whether any time used the given zone. */
  readonly usedZone: boolean;
  /** The format of the file. */
  readonly format: string;
  /** Whether the file mixes hourly means with single changes, as Home Assistant's does. */
  readonly hasHours?: boolean;
}

/** The options that describe a file. */
export interface Given {
  readonly column?: string;
  readonly timeZone?: string;
}

/** The series in a file. @throws Error, with the line if there is one */
export function sourceOf(text: string, given: Given): Source {
  const beginning = text
    .slice(0, 2000)
    .replace(/^\ufeff/, "")
    .trimStart();
  if (beginning.startsWith("{") || beginning.startsWith("[")) return ofJson(text, given);
  if (/^#(group|datatype|default)/m.test(beginning) || /^,result,table,/.test(beginning)) return ofInflux(text, given);
  return ofTable(tableOf(text), given);
}

/** Prometheus' answer to `query_range`, or Home Assistant's to `history/period`. */
function ofJson(text: string, { column }: Given): Source {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`line 1: the JSON is broken: ${(error as Error).message}`);
  }
  const all = Array.isArray(json) ? homeAssistant(json) : prometheus(json);
  const names = [...all.keys()];
  const name = chosen(names, column, "series");
  const format = Array.isArray(json) ? "Home Assistant" : "Prometheus";
  return { points: all.get(name) as Points, name, likely: "middle", usedZone: false, format };
}

function prometheus(json: unknown): Map<string, Points> {
  const data = isObject(json) ? json.data : undefined;
  const result = isObject(data) ? data.result : undefined;
  if (!Array.isArray(result)) {
    throw new Error(
      "line 1: this JSON is neither an answer of Prometheus to query_range nor a history of Home Assistant: export one of them, or CSV",
    );
  }
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

function homeAssistant(json: readonly unknown[]): Map<string, Points> {
  const lists = json.filter(Array.isArray) as Record<string, unknown>[][];
  return new Map(
    lists.map((states) => {
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
function ofInflux(text: string, { column }: Given): Source {
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
  const name = chosen([...all.keys()], column, "field");
  return { points: pointsOf(all.get(name) ?? []), name, likely: "end", usedZone: false, format: "InfluxDB" };
}

/** A table with a header. */
function ofTable(table: Table, given: Given): Source {
  const { names, rows, head, time } = table;
  if (has(head, "entity_id", "last_changed") || has(head, "statistic_id", "start"))
    return ofHomeAssistant(table, given);
  const [column, values] = columnOf(table, given.column);
  const known = KNOWN.find(({ sign }) => sign.test(head));
  const { points, usedZone } = readRows(table, rows, time, values, given);
  return {
    points,
    name: names[column] || `column ${column + 1}`,
    ...(known && { label: known.label }),
    likely: "start",
    usedZone,
    format: known?.format ?? "table",
  };
}

/** Formats whose times are known to mark the start or end of their steps. */
const KNOWN: readonly { readonly sign: RegExp; readonly format: string; readonly label: Label }[] = [
  { sign: /Version CSV3\|/, format: "SMA", label: "end" },
  { sign: /System Production \(W\)/, format: "SolarEdge", label: "start" },
  { sign: /Energy Produced \(Wh\)/, format: "Enphase", label: "start" },
  { sign: /\[dd\.MM\.yyyy HH:mm\]/, format: "Fronius", label: "start" },
  {
    sign: /Statistische Zeit|Statistical Period|PV-Ertrag \(kWh\)|PV Yield \(kWh\)/i,
    format: "FusionSolar",
    label: "start",
  },
];

/** Home Assistant's history, or statistics of the add-on: rows of several sensors. */
function ofHomeAssistant(table: Table, given: Given): Source {
  const { rows, time, head } = table;
  const isHistory = /last_changed/.test(head);
  const cells = (head.split("\n").at(-1) ?? "").split(table.delimiter).map((cell) => cell.trim());
  const at = (name: string) => cells.indexOf(name);
  const [id, state, unit] = [at(isHistory ? "entity_id" : "statistic_id"), at("state"), at("unit")];
  const sensors = new Map(rows.map((row) => [row[id] ?? "", unit < 0 ? "" : ` [${row[unit] ?? ""}]`]));
  const sensor = chosen([...sensors.keys()], given.column, "sensor");
  const own = rows.filter((row) => row[id] === sensor);
  const { points, usedZone } = readRows(table, own, time, state, given);
  const name = sensor + (sensors.get(sensor) ?? "");
  if (!isHistory) {
    // The state is from the end of the hour; the time is its start.
    const times = points.times.map((one) => one + 3600);
    return { points: { ...points, times }, name, label: "end", likely: "end", usedZone, format: "Home Assistant" };
  }
  return { points, name, label: "start", likely: "start", usedZone, format: "Home Assistant", hasHours: true };
}

/** The times and numbers of rows. @throws Error with line and column at the first time that cannot be read */
function readRows(table: Table, rows: readonly (readonly string[])[], time: number, column: number, given: Given) {
  const { hours, lineOf, delimiter, names } = table;
  const timeOf = (row: readonly string[]) => (hours === undefined ? (row[time] ?? "") : `${row[time]} ${row[hours]}`);
  const times = timeReader(rows.map(timeOf), given.timeZone);
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
      const where = `line ${lineOf(row)}, column ${time + 1}${names[time] ? ` (${names[time]})` : ""}`;
      throw new Error(`${where}: '${timeOf(row).slice(0, 40)}' is not a time`);
    }
  }
  return { points: pointsOf(all), usedZone: times.usedZone };
}

const GOOD = /produ|erzeug|ertrag|\bpv\b|pv[_-]|solar|yield|generat|totw\b|gridms|photovolt/i;
const WEAK = /power|leistung|watt|output|totw|energ/i;
const BAD =
  /consum|verbrauch|einspeis|feed|grid_|\bgrid\b|netz|batter|speicher|irradi|strahlung|temp|export|import|load|last\b|soc|ladez|%|volt|current|strom|freq|price|preis|direct|eigen|self/i;

/** The column of the production. @throws Error if none is likely, or several are equally likely */
function columnOf(
  { names, rows, time, hours, delimiter }: Table,
  given: string | undefined,
): [name: number, values: number] {
  const some = rows.filter((_, index) => index % Math.max(1, Math.floor(rows.length / 2000)) === 0);
  const columns = names.flatMap((name, index) => {
    if (index === time || index === hours) return [];
    const texts = some.map((row) => row[index] ?? "");
    const numbers = texts.map(numberReader(texts, delimiter)).filter((one) => !Number.isNaN(one));
    const isSeries = numbers.length > 0.2 * texts.length && numbers.some((one) => one > 0);
    const unit = unitIn(name);
    const score =
      (GOOD.test(name) ? 4 : 0) +
      (WEAK.test(name) ? 2 : 0) -
      (BAD.test(name) ? 6 : 0) +
      (unit ? (unit.endsWith("h") ? 0.5 : 1) : 0);
    return [{ index, name: name || `column ${index + 1}`, isSeries, score }];
  });
  const namesOf = (all: typeof columns) => all.map(({ name }) => `'${name}'`).join(", ");
  if (given !== undefined) {
    const same = (name: string) => name.toLowerCase() === given.toLowerCase();
    const found =
      columns.find(({ name }) => same(name)) ??
      columns.find(({ name }) => name.toLowerCase().includes(given.toLowerCase())) ??
      columns.find(({ index }) => String(index + 1) === given);
    if (!found) throw new Error(`there is no column '${given}'. The columns are ${namesOf(columns)}`);
    return [found.index, found.index];
  }
  const series = columns.filter(({ isSeries }) => isSeries).sort((a, b) => b.score - a.score);
  const [best, next] = series;
  if (!best) throw new Error(`no column has numbers above 0. The columns are ${namesOf(columns)}`);
  if (next && next.score === best.score)
    throw new Error(`several columns may be the production. Choose one with --column: ${namesOf(series)}`);
  return [best.index, best.index];
}

function chosen(names: readonly string[], given: string | undefined, noun: string): string {
  if (given !== undefined) {
    const found = names.find((name) => name === given) ?? names.find((name) => name.includes(given));
    if (found === undefined)
      throw new Error(`there is no ${noun} '${given}'. The file has ${names.slice(0, 20).join(", ")}`);
    return found;
  }
  const likely = names.filter((name) => GOOD.test(name) && !BAD.test(name));
  const [only, ...rest] = names.length === 1 ? names : likely;
  if (only === undefined || rest.length > 0) {
    const list = names.slice(0, 20).join(", ");
    throw new Error(
      names.length === 0
        ? `line 1: the file has no ${noun}`
        : `which ${noun} is the production is not clear. Choose one with --column: ${list}`,
    );
  }
  return only;
}

function pointsOf(rows: readonly (readonly [number, number])[]): Points {
  return { times: Float64Array.from(rows, ([at]) => at), values: Float64Array.from(rows, ([, value]) => value) };
}

/** Whether a text has both words, in this order. */
function has(text: string, first: string, second: string): boolean {
  const at = text.indexOf(first);
  return at >= 0 && text.includes(second, at + first.length);
}
