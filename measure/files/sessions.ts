import { median, quantile } from "../sky/numbers";
import type { Session } from "../sky/sessions";
import { columnsOf, type Form, formOf, type Role, SYSTEMS } from "./forms";
import { firstAfter, type Points, sorted } from "./points";
import { factorOf, unitIn } from "./quantity";
import type { Cells } from "./rows";
import { layoutOf, listed, listOf, namesIn, sheetIn } from "./sheet";
import { joined, numberIn, plainTableOf, type Table, timedRows } from "./table";
import type { Pieces } from "./text";
import { timeReader } from "./times";

/** The sessions in a file, and how it was read. */
export interface SessionFile {
  readonly format: string;
  /** Whether some time has no offset from UTC, so that the given zone was used. */
  readonly usedZone: boolean;
  readonly sessions: readonly Session[];
}

/**
 * If the median of the energies is below this, they are in kWh: no car takes 400 kWh, and no car takes less than 400 Wh
 * each time.
 */
const KILO = 400;

/** Longest time at the plug between two parts of a session, in seconds (our choice). */
const LONGEST_PLUG = 24 * 3600;

/** Two rows with the same energy that start within these seconds are one session, exported twice. */
const SAME = 60;

/**
 * Reads the exports of charging sessions.
 * @param timeZone the zone of times without an offset. The measurement of a car needs only differences of times
 * @throws Error that names the missing column
 */
export function sessionsOf(files: readonly Pieces[], timeZone = "UTC"): SessionFile {
  const table = joined(files.map(plainTableOf));
  if (layoutOf(table)?.hasHours) return ofHistory(table);
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
  return { format: form.system, sessions, usedZone };
}

type Draft = { -readonly [Key in keyof Session]: Session[Key] } & {
  /** The duration as the file has it. */
  length?: number;
};

/** Maximum number of sessions (our choice). */
const MOST_SESSIONS = 500_000;

const NUMBERS = ["drawn", "added", "from", "to", "peak", "solar"] as const satisfies readonly (keyof Session & Role)[];

function allOf(table: Table, form: Form, timeZone: string) {
  const { names, samples } = table;
  const cellOf = (role: Role) => {
    const columns = columnsOf(names, form[role]);
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
  // A charger may have missed the start of a session.
  const { rows, clock } = timedRows(table, zone, startOf);
  const ends = timeReader(samples.map(endOf), zone);
  const [lengthOf, countedOf] = [numberOf("hours"), numberOf("counted")];
  const factorFor = (role: "drawn" | "added" | "peak") => {
    const unit = unitIn(names[columnsOf(names, form[role])[0] ?? -1] ?? "");
    return unit && unit.endsWith("h") === (role !== "peak") ? factorOf(unit) : undefined;
  };
  const numbers = NUMBERS.filter((key) => form[key] !== undefined).map((key) => [key, numberOf(key)] as const);
  const cars = new Map<string, string>();
  const sessions: Draft[] = [];
  for (const [start, cells] of rows) {
    const end = ends.read(endOf(cells));
    const car = carOf(cells);
    // Copies the name once. Without this, the name of each session would keep its whole row in memory.
    if (!cars.has(car)) cars.set(car, car);
    const session: Draft = { start, end, car: cars.get(car) as string };
    for (const [key, read] of numbers) {
      const value = read(cells);
      if (!Number.isNaN(value)) session[key] = value;
    }
    if (form.counted && session.drawn !== undefined) session.drawn -= countedOf(cells);
    const hours = form.isCharging ? (end - start) / 3600 : hoursIn(durationOf(cells));
    const length = lengthOf(cells);
    if (hours !== undefined) session.hours = hours;
    // All sessions together decide the unit.
    else if (length > 0) session.length = length;
    // A session that is still running has no end, and only a part of its energy.
    if (Number.isNaN(end) || !(Math.max(session.drawn ?? 0, session.added ?? 0) > 0)) continue;
    if (sessions.push(session) > MOST_SESSIONS)
      throw new Error(`the file has more than ${MOST_SESSIONS} sessions: export those of one car, or of fewer years`);
  }
  inUsualUnits(sessions, names[columnsOf(names, form.hours)[0] ?? -1] ?? "");
  for (const key of ["drawn", "added", "peak"] as const) inWatts(sessions, key, factorFor(key));
  return { sessions: sessions as readonly Session[], usedZone: clock.usedZone && !form.isUtc };
}

/** The number in a text such as `~ 17 kWh` and `62 %`. */
function bare(text: string): string {
  return text.replace(/^~|kWh$|%$/g, "");
}

/** Hours of a duration such as `2:21:03`, `1d 02:03:04`, `1h2m3s`, `1h 48min`. Undefined if it is a number. */
function hoursIn(text: string): number | undefined {
  const clock = /^(?:(\d+)d ?)?(\d+):(\d{2})(?::(\d{2}))?$/.exec(text);
  const units = /^(?=.*[hms])(?:(\d+)h ?)?(?:(\d+)m(?:in)? ?)?(?:([\d.]+)s)?$/.exec(text);
  const seconds = ([, ...parts]: RegExpExecArray, ...factors: number[]) =>
    factors.reduce((sum, factor, i) => sum + factor * Number(parts[i] ?? 0), 0);
  const known = clock ? seconds(clock, 86_400, 3600, 60, 1) : units ? seconds(units, 3600, 60, 1) : 0;
  return known > 0 ? known / 3600 : undefined;
}

/** Units of durations that are numbers: the words for each unit in a header, and its length in seconds. */
const LENGTHS: readonly (readonly [words: RegExp, seconds: number])[] = [
  [/(?<![a-z])h(ours?|rs)?(?![a-z])|stunden/i, 3600],
  [/(?<![a-z])min(utes?|uten)?(?![a-z])/i, 60],
  [/sec|(?<![a-z])s(?![a-z])/i, 1],
  [/(?<![a-z])ms(?![a-z])/i, 1e-3],
  [/(?<![a-z])ns(?![a-z])/i, 1e-9],
];

/** Lowest and highest likely charging power, in W. It decides the unit of a duration. */
const [LEAST_POWER, MOST_POWER] = [800, 60_000];

/**
 * Converts charge to percent, and durations to hours. If the header names no unit of a duration, it is the longest unit
 * that fits between start and end and gives a likely power. Without this, minutes would count as seconds, and each
 * session as fast charging.
 */
function inUsualUnits(sessions: readonly Draft[], header: string): void {
  const isShare =
    sessions.some(({ to = 0 }) => to > 0) && sessions.every(({ from = 0, to = 0 }) => from <= 1 && to <= 1);
  for (const one of isShare ? sessions : []) {
    if (one.from !== undefined) one.from *= 100;
    if (one.to !== undefined) one.to *= 100;
  }
  const known = sessions.filter(({ length }) => length !== undefined);
  const named = LENGTHS.find(([words]) => words.test(header.replace(/([a-z])([A-Z])/g, "$1 $2")));
  const isKilo = medianOf(sessions, "drawn") < KILO;
  const isLikely = (seconds: number) => {
    const fits = known.filter(({ start, end, length = 0 }) => length * seconds <= 1.02 * (end - start) + 120);
    const usual = median(
      known.map(({ drawn = 0, length = 0 }) => ((isKilo ? 1000 : 1) * drawn * 3600) / (length * seconds)),
    );
    return fits.length > 0.9 * known.length && usual > LEAST_POWER && usual < MOST_POWER;
  };
  const [, seconds] = named ?? LENGTHS.find(([, one]) => isLikely(one)) ?? [undefined, undefined];
  for (const one of known) {
    if (seconds !== undefined) one.hours = ((one.length as number) * seconds) / 3600;
    delete one.length;
  }
}

function medianOf(sessions: readonly Draft[], key: "drawn" | "added" | "peak"): number {
  return median(sessions.flatMap((one) => one[key] || []));
}

/** The sessions in order of time, each once: some are exported twice. */
function distinct(sessions: readonly Session[]): Session[] {
  const sorted = sessions.toSorted((a, b) => a.start - b.start);
  return sorted.filter((one, i) => {
    const before = sorted[i - 1];
    const isSame = before && (["drawn", "added", "car"] as const).every((key) => one[key] === before[key]);
    return !isSame || one.start - before.start >= SAME;
  });
}

/**
 * Sessions with their own energy only. TeslaMate and evcc count from plugging in: if the car pauses, the next session
 * repeats the energy of the one before, and would look like one of a much larger battery.
 */
function withoutRepeats(sessions: readonly Session[]): Session[] {
  const before = new Map<string, { readonly given: Session; readonly own: Session }>();
  return sessions.map((given) => {
    const last = before.get(given.car);
    const { from = 0, to = 0 } = given;
    const isNext = last && Math.abs(from - (last.own.to ?? 0)) <= 1 && given.start - last.own.end < LONGEST_PLUG;
    const repeats = (["drawn", "added"] as const).flatMap((key) => {
      const [value = 0, counted = 0, part = 0] = [given[key], last?.given[key], last?.own[key]];
      // The energy for each percent is about the same as in the part before.
      const usual = part / ((last?.own.to ?? 0) - (last?.own.from ?? 0));
      const distance = (energy: number) => Math.abs(Math.log(energy / (to - from) / usual));
      return isNext && value > counted && distance(value - counted) < distance(value) ? [[key, value - counted]] : [];
    });
    const [hours = 0, counted = 0] = [given.hours, last?.given.hours];
    const isLong = repeats.length > 0 && hours > counted && hours * 3600 > given.end - given.start + 120;
    const own: Session = { ...given, ...Object.fromEntries(repeats), ...(isLong && { hours: hours - counted }) };
    before.set(given.car, { given, own });
    return own;
  });
}

/**
 * Converts an energy or a power to Wh or W.
 * @param factor the factor of the unit in the header
 */
function inWatts(sessions: readonly Draft[], key: "drawn" | "added" | "peak", factor?: number): void {
  const times = factor ?? (medianOf(sessions, key) < KILO ? 1000 : 1);
  for (const one of sessions) if (one[key] !== undefined) one[key] *= times;
}

/** Longest time between two rises of a counter in one session, in seconds: for each change, and for hourly means. */
const [LONGEST_PAUSE, LONGEST_HOURLY] = [45 * 60, 75 * 60];

/**
 * A rise after a longer time counts if it is at most this many times the usual one. If it is larger, the counter was
 * not read for a while.
 */
const MOST_RISES = 3;

/** Seconds for which a battery level is valid: Home Assistant writes it only when it changes. */
const LEVEL_LASTS = 12 * 3600;

/** Home Assistant's history: a session is a run of rises of the charger's counter. */
function ofHistory(table: Table): SessionFile {
  const { series, read } = sheetIn(table, "UTC");
  const pointsOf = (pattern: RegExp, noun: string): Points => {
    const found = series.filter(({ name }) => pattern.test(name));
    if (found.length > 1)
      throw new Error(`several sensors may be the ${noun}: ${namesIn(found, "and")}. Export only those of one car`);
    const { times, values } = read(found).points[0] ?? NONE;
    return sorted({
      times: times.filter((_, i) => !Number.isNaN(values[i])),
      values: values.filter((one) => !Number.isNaN(one)),
    });
  };
  const counter = pointsOf(/energy/i, "energy counter of the charger");
  if (counter.times.length === 0)
    throw new Error(
      `no sensor is an energy counter: its name contains 'energy'. ${listOf(series, "sensor")}. ` +
        "Export the history of the charger's energy, its power, and the battery level of the car",
    );
  const levels = pointsOf(/battery_level|soc|state_of_charge/i, "battery level of the car");
  const powers = pointsOf(/power/i, "power of the charger");
  const kilo = powers.values.every((value) => value < KILO) ? 1000 : 1;
  const sessions = runsOf(counter).map(({ first, last, energy, isHourly }): Draft => {
    // An hourly mean can contain both the end of a drive and the start of charging.
    const hours = within(levels, first - 1, last + 1);
    const from =
      isHourly && hours.length > 0 ? Math.min(...hours) : within(levels, first - LEVEL_LASTS, first + 121).at(-1);
    const after = within(levels, last - 900, last + (isHourly ? 3700 : 2400));
    const charging = within(powers, first - 1, last + 1)
      .map((value) => kilo * value)
      .filter((value) => value > 500);
    return {
      start: first,
      end: last,
      ...(!isHourly && { hours: (last - first) / 3600 }),
      drawn: energy,
      car: "",
      ...(from !== undefined && { from }),
      ...(after.length > 0 && { to: Math.max(...after) }),
      ...(!isHourly && charging.length > 3 && { peak: quantile(charging.sort(), 0.8) }),
    };
  });
  if (sessions.length === 0) throw new Error("the energy counter never rises: export days on which the car charges");
  for (const key of ["drawn", "peak"] as const) inWatts(sessions, key);
  return { format: "Home Assistant", sessions, usedZone: false };
}

const NONE: Points = { times: new Float64Array(), values: new Float64Array() };

/** The values between two times. */
function within({ times, values }: Points, from: number, to: number): Float64Array {
  const end = firstAfter(times, to);
  return values.subarray(firstAfter(times, from), times[end - 1] === to ? end - 1 : end);
}

/** The runs of rises. Home Assistant writes a counter only when it changes, so the reading before a run can be old. */
function runsOf({ times, values }: Points) {
  const rises = Array.from(values.keys()).flatMap((i) => {
    const rise = (values[i] as number) - (values[i - 1] ?? Number.NaN);
    return rise > 0.005 ? [{ at: times[i] as number, before: times[i - 1] as number, rise }] : [];
  });
  const usual = median(rises.map(({ rise }) => rise));
  const gap = median(rises.slice(1).map(({ at }, i) => at - (rises[i]?.at ?? 0)));
  const runs: { first: number; last: number; energy: number; isHourly: boolean; isOpen?: boolean }[] = [];
  for (const { at, before, rise } of rises) {
    const isHourly = at % 3600 === 0 && before % 3600 === 0;
    const isNear = at - before < (isHourly ? LONGEST_HOURLY : LONGEST_PAUSE);
    const run = runs.at(-1);
    // A run also ends after a reading that did not rise.
    if (run && before === run.last && isNear) {
      // The first rise counts as long as the second, because the reading before it can be old.
      if (run.isOpen) run.first = run.last - (at - before);
      Object.assign(run, { last: at, energy: run.energy + rise, isHourly, isOpen: false });
    } else if (isNear) runs.push({ first: before, last: at, energy: rise, isHourly });
    else if (rise <= MOST_RISES * usual)
      runs.push({ first: at - Math.min(gap, at - before), last: at, energy: rise, isHourly, isOpen: true });
    else runs.push({ first: at, last: at, energy: 0, isHourly });
  }
  return runs.filter(({ energy }) => energy > 0);
}
