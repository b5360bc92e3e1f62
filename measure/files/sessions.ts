import { Column } from "../sky/columns";
import { quantile } from "../sky/numbers";
import type { Session } from "../sky/sessions";
import { type Form, formOf, lettersOf, type Role, SYSTEMS } from "./forms";
import { isHistory, sensorsOf } from "./history";
import { firstAfter, type Points, sorted } from "./points";
import type { Cells } from "./rows";
import { numberIn, type Table, tableOf, timedRows } from "./table";
import type { Pieces } from "./text";
import { timeReader } from "./times";
import { listed } from "./words";

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
export function sessionsOf(pieces: Pieces, timeZone = "UTC"): SessionFile {
  const table = tableOf(pieces);
  if (isHistory(table) && table.head.includes("last_changed")) return ofHistory(table);
  const form = formOf(table);
  if (!form)
    throw new Error(
      "this is not a list of charging sessions: no columns are known as start, end and energy. " +
        `The columns are ${listed(table.names.filter(Boolean).slice(0, 20)) || "without names"}. Export the sessions of ` +
        `${listed([...SYSTEMS, "the history of Home Assistant"], "or")}, or name the columns start, end and energy`,
    );
  const { sessions: all, usedZone } = allOf(table, form, timeZone);
  const sessions = withoutRepeats(distinct(all));
  if (sessions.length === 0) throw new Error("the file has no session with an energy above 0");
  return { format: form.system, sessions: inWattHours(sessions), usedZone };
}

type Draft = { -readonly [Key in keyof Session]: Session[Key] };

/** Maximum number of sessions (our choice). */
const MOST_SESSIONS = 500_000;

const NUMBERS = ["drawn", "added", "from", "to", "peak", "solar"] as const satisfies readonly (keyof Session & Role)[];

function allOf(table: Table, form: Form, timeZone: string) {
  const { names, samples } = table;
  const own = names.map(lettersOf);
  const cellOf = (role: Role) => {
    const columns = form[role]?.split(" ").flatMap((name) => (own.includes(name) ? [own.indexOf(name)] : [])) ?? [];
    return (cells: Cells) => {
      for (const column of columns) if (cells[column]) return (cells[column] as string).trim();
      return "";
    };
  };
  const numberOf = (role: Role) => {
    const cell = cellOf(role);
    return numberIn(table, (cells) => bare(cell(cells)));
  };
  const [startOf, endOf, carOf, durationOf] = [cellOf("start"), cellOf("end"), cellOf("car"), cellOf("hours")];
  const zone = form.isUtc ? "UTC" : timeZone;
  // A charger may have missed the start.
  const { rows, clock } = timedRows(table, zone, startOf);
  const ends = timeReader(samples.map(endOf), zone);
  const secondsOf = numberOf("hours");
  const numbers = NUMBERS.filter((key) => form[key] !== undefined).map((key) => [key, numberOf(key)] as const);
  const cars = new Map<string, string>();
  const sessions: Draft[] = [];
  for (const [start, cells] of rows) {
    const end = ends.read(endOf(cells));
    const car = carOf(cells);
    // One text for each name. Without this, each session would keep its whole row.
    if (!cars.has(car)) cars.set(car, car);
    const session: Draft = { start, end, car: cars.get(car) as string };
    for (const [key, read] of numbers) {
      const value = read(cells);
      if (!Number.isNaN(value)) session[key] = value;
    }
    const hours = form.isCharging ? (end - start) / 3600 : hoursOf(durationOf(cells), secondsOf(cells));
    if (hours !== undefined) session.hours = hours;
    // A session that is still running has no end, and not yet its energy.
    if (Number.isNaN(end) || !(Math.max(session.drawn ?? 0, session.added ?? 0) > 0)) continue;
    if (sessions.push(session) > MOST_SESSIONS)
      throw new Error(`the file has more than ${MOST_SESSIONS} sessions: export those of one car, or of fewer years`);
  }
  return { sessions, usedZone: clock.usedZone && !form.isUtc };
}

/** A number without the rest of `~ 17 kWh` and `62 %`. */
function bare(text: string): string {
  return text.replace(/^~|kWh$|%$/g, "").trim();
}

/** Numbers above this are nanoseconds, not seconds: evcc's answers have them. */
const NANO = 1e8;

/** Hours of a duration such as `2:21:03`, `1d 02:03:04`, `1h2m3s`, `1h 48min`, or seconds. Undefined if there is none. */
function hoursOf(text: string, number: number): number | undefined {
  const clock = /^(?:(\d+)d ?)?(\d+):(\d{2})(?::(\d{2}))?$/.exec(text);
  const units = /^(?:(\d+)h ?)?(?:(\d+)m(?:in)? ?)?(?:([\d.]+)s)?$/.exec(text);
  const seconds = ([, ...parts]: RegExpExecArray, ...factors: number[]) =>
    factors.reduce((sum, factor, i) => sum + factor * Number(parts[i] ?? 0), 0);
  const plain = number > NANO ? number / 1e9 : number;
  const known = clock ? seconds(clock, 86_400, 3600, 60, 1) : units ? seconds(units, 3600, 60, 1) : plain;
  return known > 0 ? known / 3600 : undefined;
}

/** The sessions in order, without those that were exported twice. */
function distinct(sessions: readonly Draft[]): Draft[] {
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
function withoutRepeats(sessions: readonly Draft[]): Draft[] {
  const own: Draft[] = [];
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

/** Brings sessions to Wh and W. */
function inWattHours(sessions: readonly Draft[]): readonly Session[] {
  for (const key of ["drawn", "added", "peak"] as const) {
    const known = new Column();
    for (const one of sessions) if (one[key]) known.add(one[key]);
    if (!(quantile(known.all().sort(), 0.5) < KILO)) continue;
    for (const one of sessions) if (one[key] !== undefined) one[key] *= 1000;
  }
  return sessions;
}

/** Longest time between two rises of a counter in one session, in seconds. */
const LONGEST_PAUSE = 45 * 60;

/** Home Assistant's history: a session is a run of rises of the charger's counter. */
function ofHistory(table: Table): SessionFile {
  const { sensors } = sensorsOf(table, "UTC");
  const names = sensors.map(({ name }) => name);
  const pointsOf = (pattern: RegExp, noun: string): Points => {
    const found = sensors.filter(({ name }) => pattern.test(name));
    if (found.length > 1)
      throw new Error(
        `several sensors may be the ${noun}: ${listed(found.map(({ name }) => name))}. Export only those of one car`,
      );
    const { times, values } = found[0]?.points ?? NONE;
    return sorted({
      times: times.filter((_, i) => !Number.isNaN(values[i])),
      values: values.filter((one) => !Number.isNaN(one)),
    });
  };
  const counter = pointsOf(/energy/i, "energy counter of the charger");
  if (counter.times.length === 0)
    throw new Error(
      `no sensor is an energy counter: its name contains 'energy'. The file has ${listed(names.slice(0, 20))}. ` +
        "Export the history of the charger's energy, its power, and the battery level of the car",
    );
  const levels = pointsOf(/battery_level|soc|state_of_charge/i, "battery level of the car");
  const powers = pointsOf(/power/i, "power of the charger");
  const kilo = powers.values.every((value) => value < KILO) ? 1000 : 1;
  const sessions = runsOf(counter).map(({ first, last, energy }): Draft => {
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
      ...(charging.length > 3 && { peak: quantile(charging.sort(), 0.8) }),
    };
  });
  if (sessions.length === 0) throw new Error("the energy counter never rises: export days on which the car charges");
  return { format: "Home Assistant", sessions: inWattHours(sessions), usedZone: false };
}

const NONE: Points = { times: new Float64Array(), values: new Float64Array() };

/** The values between two times. */
function within({ times, values }: Points, from: number, to: number): Float64Array {
  const end = firstAfter(times, to);
  return values.subarray(firstAfter(times, from), times[end - 1] === to ? end - 1 : end);
}

function runsOf({ times, values }: Points) {
  const runs: { first: number; last: number; energy: number }[] = [];
  let run: (typeof runs)[number] | undefined;
  for (const [i, at] of times.entries()) {
    const before = times[i - 1] ?? at;
    const rise = (values[i] as number) - (values[i - 1] ?? (values[i] as number));
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
