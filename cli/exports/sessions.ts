import type { Session } from "../../sky/sessions";
import { quantile } from "../../sky/solve";
import { grouped } from "../grouped";
import { type NumberReader, numberReader } from "./numbers";
import { type Table, tableOf } from "./table";
import { timeReader } from "./times";

/** The sessions in a file, and how it was read. */
export interface SessionFile {
  readonly format: string;
  /** Whether a time has no offset from UTC, so that it is only right in the given zone. */
  readonly usedZone: boolean;
  readonly sessions: readonly Session[];
}

/** The columns of a session. Names are in small letters; of several that exist, the first one counts. */
const COLUMNS = {
  start: ["firstenergytransferperiodstarted", "created", "startzeit", "start_date", "startdatetime", "start"],
  end: ["lastenergytransferperiodend", "finished", "endzeit", "end_date", "enddatetime", "end"],
  drawn: [
    // go-e: its own column for the energy can be wrong, the difference of its counter is not.
    "eto_diff",
    "charge_energy_used",
    "charged energy (kwh)",
    "energie (kwh)",
    "energy (kwh)",
    "kilowatthours",
    "energy",
  ],
  added: ["charge_energy_added"],
  hours: ["charge duration", "duration", "ladedauer", "seconds_charged", "actualdurationseconds"],
  from: ["soc start (%)", "ladestand start (%)", "start_battery_level"],
  to: ["soc end (%)", "soc stop (%)", "ladestand ende (%)", "end_battery_level"],
  car: ["vehicle", "fahrzeug"],
  peak: ["max_power"],
  solar: ["solar (%)", "sonne (%)"],
  minutes: ["duration_min"],
} as const;
type Role = keyof typeof COLUMNS;

/** The systems, each with a column that only its exports have. */
const FORMATS = [
  ["charge_energy_added", "TeslaMate"],
  ["firstenergytransferperiodstarted", "Easee"],
  ["commitenddatetime", "Zaptec"],
  ["eto_diff", "go-e"],
  ["charging point", "evcc"],
  ["ladepunkt", "evcc"],
] as const;

/** The systems whose exports are read, for an error. */
const KNOWN = "evcc, TeslaMate, Easee, Zaptec, go-e and the history of Home Assistant";

/** A median session below this is in kWh: no car takes 400 kWh, and none takes less than 400 Wh each time. */
const KILO = 400;

/** Rows with the same energy that start within these seconds are the same session, which was exported twice. */
const SAME = 60;

/**
 * Reads an export of charging sessions.
 * @param timeZone the zone of times without an offset. The measurement of a car needs only differences of times
 * @throws Error with what is missing
 */
export function sessionsOf(text: string, timeZone = "UTC"): SessionFile {
  const table = tableOf(text);
  const names = table.names.map((name) => name.toLowerCase());
  if (["entity_id", "state", "last_changed"].every((name) => names.includes(name))) return ofHistory(table, names);
  const at = (role: Role) => COLUMNS[role].map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1;
  const missing = [
    ...(at("start") < 0 ? ["a start"] : []),
    ...(at("end") < 0 ? ["an end"] : []),
    ...(at("drawn") < 0 && at("added") < 0 ? ["an energy"] : []),
  ];
  if (missing.length > 0)
    throw new Error(
      `this is not a list of charging sessions: no column is ${missing.join(", ")}. ` +
        `The columns are ${names.filter(Boolean).slice(0, 20).join(", ") || "without names"}. Export the sessions of ${KNOWN}`,
    );
  const isTeslaMate = names.includes("charge_energy_added");
  const { sessions: all, usedZone } = rowsOf(table, at, isTeslaMate ? "UTC" : timeZone);
  const sessions = distinct(all);
  if (sessions.length === 0) throw new Error("the file has no session with an energy above 0");
  const format = FORMATS.find(([column]) => names.includes(column))?.[1] ?? "table";
  return { format, sessions: inWattHours(sessions), usedZone: usedZone && !isTeslaMate };
}

/** Whether a table lists charging sessions: one that is taken for a meter would give a wrong base load. */
export function isSessions({ names }: Pick<Table, "names">): boolean {
  const own = names.map((name) => name.toLowerCase());
  const has = (role: Role) => COLUMNS[role].some((name) => own.includes(name));
  return has("start") && has("end") && (has("drawn") || has("added"));
}

function rowsOf(table: Table, at: (role: Role) => number, timeZone: string) {
  const { rows, lineOf } = table;
  const cell = (row: readonly string[], role: Role) => row[at(role)]?.trim() ?? "";
  const timesOf = (role: "start" | "end") =>
    timeReader(
      rows.map((row) => cell(row, role)),
      timeZone,
    );
  const [starts, ends] = [timesOf("start"), timesOf("end")];
  const readers = new Map<Role, NumberReader>();
  const number = (row: readonly string[], role: Role) => {
    const reader =
      readers.get(role) ??
      numberReader(
        rows.map((one) => cell(one, role)),
        table.delimiter,
      );
    readers.set(role, reader);
    const value = reader(cell(row, role));
    return Number.isNaN(value) ? undefined : value;
  };
  const sessions = rows.flatMap((row, index): Session[] => {
    const [start, end] = [starts.read(cell(row, "start")), ends.read(cell(row, "end"))];
    if (Number.isNaN(start)) {
      // A line of totals at the end has no time.
      if (index >= rows.length - 3) return [];
      throw new Error(`line ${lineOf(row)}: '${cell(row, "start").slice(0, 40)}' is not a time`);
    }
    const values = {
      drawn: number(row, "drawn"),
      added: number(row, "added"),
      from: number(row, "from"),
      to: number(row, "to"),
      peak: number(row, "peak"),
      solar: number(row, "solar"),
      // The charging process of TeslaMate is from the start to the end of charging.
      hours: at("minutes") >= 0 ? (end - start) / 3600 : hoursOf(cell(row, "hours"), number(row, "hours")),
    };
    const known = Object.entries(values).filter(([, value]) => value !== undefined && !Number.isNaN(value));
    // A session that is still running has no end, and not yet its energy.
    if (Number.isNaN(end) || Math.max(values.drawn ?? 0, values.added ?? 0) <= 0) return [];
    return [{ start, end, car: cell(row, "car"), ...Object.fromEntries(known) }];
  });
  return { sessions, usedZone: starts.usedZone };
}

/** Hours of a duration such as `2:21:03`, `1d 02:03:04`, `1h2m3s`, or seconds. Undefined if there is none. */
function hoursOf(text: string, number: number | undefined): number | undefined {
  const clock = /^(?:(\d+)d ?)?(\d+):(\d{2})(?::(\d{2}))?$/.exec(text);
  const units = /^(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)s)?$/.exec(text);
  const seconds = ([, ...parts]: RegExpExecArray, ...factors: number[]) =>
    factors.reduce((sum, factor, i) => sum + factor * Number(parts[i] ?? 0), 0);
  const known = clock ? seconds(clock, 86_400, 3600, 60, 1) : units ? seconds(units, 3600, 60, 1) : number;
  return known === undefined || known <= 0 ? undefined : known / 3600;
}

function distinct(sessions: readonly Session[]): Session[] {
  const sorted = sessions.toSorted((a, b) => a.start - b.start);
  return sorted.filter((one, i) => {
    const before = sorted[i - 1];
    return !before || one.start - before.start >= SAME || one.drawn !== before.drawn || one.car !== before.car;
  });
}

/** The sessions in Wh and W. */
function inWattHours(sessions: readonly Session[]): Session[] {
  const factorOf = (key: "drawn" | "added" | "peak") => {
    const known = Float64Array.from(sessions.flatMap((one) => (one[key] ? [one[key]] : []))).sort();
    return quantile(known, 0.5) < KILO ? 1000 : 1;
  };
  const [drawn, added, peak] = [factorOf("drawn"), factorOf("added"), factorOf("peak")];
  return sessions.map((one) => ({
    ...one,
    ...(one.drawn !== undefined && { drawn: drawn * one.drawn }),
    ...(one.added !== undefined && { added: added * one.added }),
    ...(one.peak !== undefined && { peak: peak * one.peak }),
  }));
}

type Reading = readonly [at: number, value: number];

/** Longest time between two rises of a counter in one session, in seconds. */
const LONGEST_PAUSE = 45 * 60;

/** Home Assistant's history: a session is a run of rises of the charger's counter. */
function ofHistory(table: Table, names: readonly string[]): SessionFile {
  const [id, state, changed] = ["entity_id", "state", "last_changed"].map((name) => names.indexOf(name)) as [
    number,
    number,
    number,
  ];
  const cell = (row: readonly string[], column: number) => row[column] ?? "";
  const times = timeReader(
    table.rows.map((row) => cell(row, changed)),
    "UTC",
  );
  const read = numberReader([], ",");
  const readings = table.rows.map((row) => ({
    sensor: cell(row, id),
    reading: [times.read(cell(row, changed)), read(cell(row, state))] as const,
  }));
  const sensors = grouped(
    readings.filter(({ reading }) => !reading.some(Number.isNaN)),
    ({ sensor }) => sensor,
  );
  const seriesOf = (pattern: RegExp, noun: string): Reading[] => {
    const found = [...sensors.keys()].filter((sensor) => pattern.test(sensor));
    if (found.length > 1)
      throw new Error(`several sensors may be the ${noun}: ${found.join(", ")}. Export only those of one car`);
    const series = sensors.get(found[0] ?? "") ?? [];
    return series.map(({ reading }) => reading).sort(([a], [b]) => a - b);
  };
  const counter = seriesOf(/energy/i, "energy counter of the charger");
  if (counter.length === 0)
    throw new Error(
      `no sensor is an energy counter: its name contains 'energy'. The file has ${[...sensors.keys()].slice(0, 20).join(", ")}. ` +
        "Export the history of the charger's energy, its power, and the battery level of the car",
    );
  const levels = seriesOf(/battery_level|soc|state_of_charge/i, "battery level of the car");
  const powers = seriesOf(/power/i, "power of the charger");
  const kilo = Math.max(...powers.map(([, value]) => value), 0) < KILO ? 1000 : 1;
  const sessions = runsOf(counter).map(({ first, last, energy }): Session => {
    const within = (series: readonly Reading[], from: number, to: number) =>
      series.filter(([at]) => at > from && at < to).map(([, value]) => value);
    const from = within(levels, first - 7200, first + 121).at(-1);
    const after = within(levels, last - 900, last + 2400);
    const charging = within(powers, first - 1, last + 1)
      .map((value) => kilo * value)
      .filter((value) => value > 500);
    return {
      start: first,
      end: last,
      hours: (last - first) / 3600,
      drawn: energy,
      car: "",
      ...(from !== undefined && { from }),
      ...(after.length > 0 && { to: Math.max(...after) }),
      ...(charging.length > 3 && { peak: quantile(Float64Array.from(charging).sort(), 0.8) }),
    };
  });
  if (sessions.length === 0) throw new Error("the energy counter never rises: export days on which the car charges");
  return { format: "Home Assistant", sessions: inWattHours(sessions), usedZone: false };
}

function runsOf(counter: readonly Reading[]) {
  const runs: { first: number; last: number; energy: number }[] = [];
  let run: (typeof runs)[number] | undefined;
  for (const [i, [at, value]] of counter.entries()) {
    const [before, earlier] = counter[i - 1] ?? [at, value];
    const rise = value - earlier;
    if (rise > 0.005 && at - before < LONGEST_PAUSE) {
      run ??= { first: before, last: at, energy: 0 };
      run.last = at;
      run.energy += rise;
    } else if (run) {
      runs.push(run);
      run = undefined;
    }
  }
  return run ? [...runs, run] : runs;
}
