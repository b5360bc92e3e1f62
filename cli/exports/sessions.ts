import { listed } from "../../provider/settings/explain";
import type { Session } from "../../sky/sessions";
import { quantile } from "../../sky/solve";
import { grouped } from "../grouped";
import { type Form, formOf, lettersOf, ROLES, type Role, SYSTEMS } from "./forms";
import { numberReader } from "./numbers";
import { type Table, tableOf } from "./table";
import { timeReader } from "./times";

/** The sessions in a file, and how it was read. */
export interface SessionFile {
  readonly format: string;
  /** Whether a time has no offset from UTC, so that it is only right in the given zone. */
  readonly usedZone: boolean;
  readonly sessions: readonly Session[];
}

/** A median session below this is in kWh: no car takes 400 kWh, and none takes less than 400 Wh each time. */
const KILO = 400;

/** Longest time at the plug between two parts of a session, in seconds (our choice). */
const LONGEST_PLUG = 24 * 3600;

/** Rows with the same energy that start within these seconds are the same session, which was exported twice. */
const SAME = 60;

/**
 * Reads an export of charging sessions.
 * @param timeZone the zone of times without an offset. The measurement of a car needs only differences of times
 * @throws Error that names the missing column
 */
export function sessionsOf(text: string, timeZone = "UTC"): SessionFile {
  const table = tableOf(text);
  const names = table.names.map((name) => name.toLowerCase());
  if (["entity_id", "state", "last_changed"].every((name) => names.includes(name))) return ofHistory(table, names);
  const form = formOf(table);
  if (!form)
    throw new Error(
      "this is not a list of charging sessions: no columns are known as start, end and energy. " +
        `The columns are ${listed(names.filter(Boolean).slice(0, 20)) || "without names"}. Export the sessions of ` +
        `${listed([...SYSTEMS, "the history of Home Assistant"], "or")}, or name the columns start, end and energy`,
    );
  const { sessions: all, usedZone } = rowsOf(table, form, timeZone);
  const sessions = withoutRepeats(distinct(all));
  if (sessions.length === 0) throw new Error("the file has no session with an energy above 0");
  return { format: form.system, sessions: inWattHours(sessions), usedZone };
}

function rowsOf({ rows, names, delimiter, placeOf }: Table, form: Form, timeZone: string) {
  const own = names.map(lettersOf);
  const columns = new Map(
    ROLES.map((role) => [role, form[role]?.split(" ").map((name) => own.indexOf(name)) ?? []] as const),
  );
  const cell = (row: readonly string[], role: Role) => {
    const column = columns.get(role)?.find((index) => (row[index] ?? "") !== "");
    return column === undefined ? "" : (row[column] as string).trim();
  };
  const some = rows.filter((_, i) => i % Math.ceil(rows.length / 5000) === 0);
  const cells = (role: Role) => some.map((row) => cell(row, role));
  const times = (role: Role) => timeReader(cells(role), form.isUtc ? "UTC" : timeZone);
  const [starts, ends] = [times("start"), times("end")];
  const readers = new Map(ROLES.map((role) => [role, numberReader(cells(role).map(bare), delimiter)] as const));
  const number = (row: readonly string[], role: Role) => {
    const value = readers.get(role)?.(bare(cell(row, role)));
    return value === undefined || Number.isNaN(value) ? undefined : value;
  };
  const sessions = rows.flatMap((row, index): Session[] => {
    const [start, end] = [starts.read(cell(row, "start")), ends.read(cell(row, "end"))];
    if (Number.isNaN(start)) {
      // A line of totals at the end has no time, and a charger may have missed the start.
      if (index >= rows.length - 3 || cell(row, "start") === "") return [];
      throw new Error(`${placeOf(row)}: '${cell(row, "start").slice(0, 40)}' is not a time`);
    }
    const values = {
      drawn: number(row, "drawn"),
      added: number(row, "added"),
      from: number(row, "from"),
      to: number(row, "to"),
      peak: number(row, "peak"),
      solar: number(row, "solar"),
      hours: form.isCharging ? (end - start) / 3600 : hoursOf(cell(row, "hours"), number(row, "hours")),
    };
    // A session that is still running has no end, and not yet its energy.
    if (Number.isNaN(end) || Math.max(values.drawn ?? 0, values.added ?? 0) <= 0) return [];
    const session: { -readonly [Key in keyof Session]: Session[Key] } = { start, end, car: cell(row, "car") };
    for (const key of NUMBERS) if (!Number.isNaN(values[key] ?? Number.NaN)) session[key] = values[key] as number;
    return [session];
  });
  return { sessions, usedZone: starts.usedZone && !form.isUtc };
}

const NUMBERS = [
  "drawn",
  "added",
  "from",
  "to",
  "peak",
  "solar",
  "hours",
] as const satisfies readonly (keyof Session)[];

/** A number without the rest of `~ 17 kWh` and `62 %`. */
function bare(text: string): string {
  return text.replace(/^~|kWh$|%$/g, "").trim();
}

/** Numbers above this are nanoseconds, not seconds: evcc's answers have them. */
const NANO = 1e8;

/** Hours of a duration such as `2:21:03`, `1d 02:03:04`, `1h2m3s`, `1h 48min`, or seconds. Undefined if there is none. */
function hoursOf(text: string, number: number | undefined): number | undefined {
  const clock = /^(?:(\d+)d ?)?(\d+):(\d{2})(?::(\d{2}))?$/.exec(text);
  const units = /^(?:(\d+)h ?)?(?:(\d+)m(?:in)? ?)?(?:([\d.]+)s)?$/.exec(text);
  const seconds = ([, ...parts]: RegExpExecArray, ...factors: number[]) =>
    factors.reduce((sum, factor, i) => sum + factor * Number(parts[i] ?? 0), 0);
  const plain = number !== undefined && number > NANO ? number / 1e9 : number;
  const known = clock ? seconds(clock, 86_400, 3600, 60, 1) : units ? seconds(units, 3600, 60, 1) : plain;
  return known === undefined || known <= 0 ? undefined : known / 3600;
}

/** The sessions in order, without those that were exported twice. */
function distinct(sessions: readonly Session[]): Session[] {
  const sorted = sessions.toSorted((a, b) => a.start - b.start);
  return sorted.filter((one, i) => {
    const before = sorted[i - 1];
    const isSame = before && (["drawn", "added", "car"] as const).every((key) => one[key] === before[key]);
    return !isSame || one.start - before.start >= SAME;
  });
}

/**
 * Sessions with their own energy only. TeslaMate counts from plugging in: if the car pauses, the next session repeats
 * the energy of the one before, and would look like one of a much larger battery.
 */
function withoutRepeats(sessions: readonly Session[]): Session[] {
  const own: Session[] = [];
  for (const [i, one] of sessions.entries()) {
    const before = own.at(-1);
    const counted = sessions[i - 1]?.added ?? 0;
    const { added = 0, from = 0, to = 0 } = one;
    const isNext = before && Math.abs(from - (before.to ?? 0)) <= 1 && one.start - before.end < LONGEST_PLUG;
    // The energy for a percent is about that of the part before.
    const usual = (before?.added ?? 0) / ((before?.to ?? 0) - (before?.from ?? 0));
    const distance = (energy: number) => Math.abs(Math.log(energy / (to - from) / usual));
    const isRepeat = isNext && added > counted && distance(added - counted) < distance(added);
    own.push(isRepeat ? { ...one, added: added - counted } : one);
  }
  return own;
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
      throw new Error(`several sensors may be the ${noun}: ${listed(found)}. Export only those of one car`);
    const series = sensors.get(found[0] ?? "") ?? [];
    return series.map(({ reading }) => reading).sort(([a], [b]) => a - b);
  };
  const counter = seriesOf(/energy/i, "energy counter of the charger");
  if (counter.length === 0)
    throw new Error(
      `no sensor is an energy counter: its name contains 'energy'. The file has ${listed([...sensors.keys()].slice(0, 20))}. ` +
        "Export the history of the charger's energy, its power, and the battery level of the car",
    );
  const levels = seriesOf(/battery_level|soc|state_of_charge/i, "battery level of the car");
  const powers = seriesOf(/power/i, "power of the charger");
  const kilo = powers.every(([, value]) => value < KILO) ? 1000 : 1;
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
