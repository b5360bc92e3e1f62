import { edgeOf, grouped, mean, median, scatterOf, spreadOf } from "./numbers";
import type { NotEnough } from "./sessions";

/** The loads of a house over steps of equal length, in rising order. Powers are in W. */
export interface House {
  /** The middle of each step, unix seconds. */
  readonly times: Float64Array;
  /** The same moments on the clock of the house, as if it were UTC. */
  readonly local: Float64Array;
  /** Minutes of a step. */
  readonly step: number;
  /** The load, or the import if only that was measured; NaN is a gap. */
  readonly power: Float64Array;
  /** Whether `power` is only the import. In a house with solar, the import is the load only at night. */
  readonly isImport: boolean;
  /** Power into the grid. While there is some, the sun supplies the house, so the import is not the load. */
  readonly returned?: Float64Array;
  /** Whether the house has solar, or a battery, if the user says so. Otherwise the numbers decide. */
  readonly hasSolar?: boolean | undefined;
  readonly hasBattery?: boolean | undefined;
  /** Whether the house is in the south, where summer is from September to April. */
  readonly isSouth?: boolean | undefined;
}

/** The power that a house always takes, in W. */
export interface BaseLoad {
  readonly kind: "measured";
  readonly value: number;
  /** Standard deviation, in W. */
  readonly deviation: number;
  readonly days: number;
  /** The base load from November to February. */
  readonly winter?: number;
  /** The mean load by day. Absent if only nights show the load. */
  readonly daytime?: number;
  /** The mean of all hours, and of the hours from 22 to 6. */
  readonly mean?: number;
  readonly nights: number;
  /** Share of the nights with an hour of a car or a boiler. */
  readonly busyNights: number;
  /** The first local day of the present load, as days since 1970, if it has changed. */
  readonly changedSince?: number;
  /** The usual night: the median load of each quarter of an hour from 18 to 10. */
  readonly night: readonly number[];
}

/** The reasons why a meter or an inverter's production does not show a value. */
export type HouseNotEnough =
  | "fewDays"
  | "daysWithGaps"
  | "daysAtZero"
  | "battery"
  | "batteryAtNight"
  | "onlyWinter"
  | "coarseSteps"
  | "fewMornings";

/** A setting that could not be measured, with the limits that are known. */
export interface Unmeasured {
  readonly kind: "notEnough";
  readonly reason: HouseNotEnough | NotEnough;
  /**
   * The number in the file of what the reason is about, and the number that can be used: sessions or days; for
   * `batteryAtNight`, steps at night; for `coarseSteps`, the minutes of a step and of the longest useful step.
   */
  readonly read: number;
  readonly kept: number;
  /** Approximate limits of the true value; absent if they are not known. */
  readonly atLeast?: number | undefined;
  readonly atMost?: number;
}

/**
 * The lowest hours of a day are a little below the mean of the load that is always on (calibrated on simulated houses).
 */
const ABOVE_LOWEST = 1.02;

/** The length of the lowest mean, in hours, and the hours that a day needs; for whole days, and for nights only. */
const WHOLE_DAY = { lowest: 3, least: 18 };
const NIGHT = { from: 23, to: 4.5, lowest: 2, least: 3.4 };

/** Minimum number of days for a value, of each side of a change, and of a season. */
const FEWEST_DAYS = 14;
const FEWEST_OF_CHANGE = 12;
const FEWEST_OF_SUMMER = 20;

/** A day with more hours of exactly 0 counts as a day with gaps: some systems store gaps as 0. */
const MOST_ZERO_HOURS = 2;

const HOUR = 3600;
const DAY = 86_400;

/** Whether the file shows the load of the house only at night. */
export function showsOnlyNights({ power, isImport, returned, hasSolar }: House): boolean {
  if (!isImport) return false;
  if (hasSolar !== undefined) return hasSolar;
  if (returned?.some((one) => one > 100)) return true;
  const known = power.filter((one) => !Number.isNaN(one));
  // Where the sun delivers, the import is nearly 0 for hours.
  return known.filter((one) => one < 5).length > 0.02 * known.length;
}

interface Day {
  readonly day: number;
  readonly lowest: number;
  readonly isSummer: boolean;
}

/** The base load that a meter shows. A declared one never takes part, because it may be wrong. */
export function baseLoadOf(house: House): BaseLoad | Unmeasured {
  const isNight = showsOnlyNights(house);
  const read = new Set(house.local.filter((_, i) => !Number.isNaN(house.power[i])).map((at) => Math.floor(at / DAY)))
    .size;
  const without = (reason: HouseNotEnough, kept: number, of = read) =>
    ({ kind: "notEnough", reason, read: of, kept }) as const;
  // Too few days are the first reason. Without this, a file of three days would be refused because of a battery.
  if (read < FEWEST_DAYS) return without("fewDays", read);
  if (isNight && house.hasBattery) return without("battery", 0);
  const used = usedSteps(house, { isNight });
  const { days: all, atZero } = daysOf(house, used, { isNight });
  const lit = used.filter((i) => (house.power[i] as number) >= 15);
  if (isNight && lit.length < 0.92 * used.length && all.length + atZero >= FEWEST_DAYS)
    return without("batteryAtNight", lit.length, used.length);
  if (all.length < FEWEST_DAYS)
    return without(all.length + atZero < FEWEST_DAYS ? "daysWithGaps" : "daysAtZero", all.length);
  const [summer, winter] = [all.filter(({ isSummer }) => isSummer), all.filter(({ isSummer }) => !isSummer)];
  const isWholeYear = winter.length >= FEWEST_DAYS && summer.length >= FEWEST_OF_SUMMER;
  const season = isWholeYear ? summer : all;
  const change = changeIn(season.map(({ lowest }) => lowest));
  const days = season.slice(change);
  const lowest = days.map((one) => one.lowest);
  const value = ABOVE_LOWEST * median(lowest);
  const scatter = scatterOf(lowest);
  if (summer.length < FEWEST_DAYS && (scatter > 0.08 * value || value > 300))
    return { ...without("onlyWinter", summer.length, all.length), atMost: value };
  const deviation = Math.hypot(
    0.05 * value,
    house.step > 36 ? 10 : 8,
    (1.25 * scatter) / Math.sqrt(lowest.length / 2),
    isNight ? 0.06 * value : 0,
    0.5 * driftOf(lowest),
  );
  return {
    kind: "measured",
    value,
    deviation,
    days: days.length,
    ...(winter.length >= FEWEST_DAYS && { winter: ABOVE_LOWEST * median(winter.map((one) => one.lowest)) }),
    ...(change > 0 && { changedSince: (days[0] as Day).day }),
    ...loadsOf(house, days[0] as Day, { isNight, value }),
  };
}

/** The steps that show the load. */
function usedSteps({ power, local, returned }: House, { isNight }: { readonly isNight: boolean }): number[] {
  return Array.from(power.keys()).filter((i) => {
    if (Number.isNaN(power[i])) return false;
    const hour = hourOf(local[i] as number);
    // A gap in the return counts as 0, because exports leave these cells empty.
    return !isNight || ((hour >= NIGHT.from || hour < NIGHT.to) && !((returned?.[i] ?? 0) >= 1));
  });
}

function daysOf(
  { power, times, local, step, isSouth = false }: House,
  used: readonly number[],
  { isNight }: { readonly isNight: boolean },
) {
  const { lowest: hours, least } = isNight ? NIGHT : WHOLE_DAY;
  const count = Math.round((hours * 60) / step);
  // A night has the date of its morning.
  const dayAt = (at: number) => Math.floor(at / DAY) + (isNight && hourOf(at) >= NIGHT.from ? 1 : 0);
  const byDay = grouped(used, (i) => dayAt(local[i] as number));
  let atZero = 0;
  const days = [...byDay].flatMap(([day, steps]): Day[] => {
    const zeros = steps.filter((i) => power[i] === 0).length;
    if ((steps.length * step) / 60 < least) return [];
    if ((zeros * step) / 60 > MOST_ZERO_HOURS) {
      atZero++;
      return [];
    }
    let lowest = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (const [at, i] of steps.entries()) {
      sum += power[i] as number;
      const first = steps[at - count + 1];
      if (first === undefined) continue;
      const isWhole = (times[i] as number) - (times[first] as number) < (count - 0.5) * step * 60;
      if (isWhole) lowest = Math.min(lowest, sum / count);
      sum -= power[first] as number;
    }
    const month = (new Date(day * DAY * 1000).getUTCMonth() + (isSouth ? 6 : 0)) % 12;
    return Number.isFinite(lowest) ? [{ day, lowest, isSummer: month >= 2 && month <= 9 }] : [];
  });
  return { days, atZero };
}

/** The day of a new load, as an index; 0 if there is none. */
function changeIn(lowest: readonly number[]): number {
  let [best, at] = [0, 0];
  for (let i = FEWEST_OF_CHANGE; i <= lowest.length - FEWEST_OF_CHANGE; i++) {
    const [before, after] = [lowest.slice(0, i), lowest.slice(i)];
    const scatter = 1.25 * Math.max(4 + scatterOf(before), 4 + scatterOf(after));
    const distance = Math.abs(median(before) - median(after));
    const ratio = distance / (scatter * Math.sqrt(1 / before.length + 1 / after.length));
    if (ratio > best) [best, at] = [ratio, i];
  }
  const [before, after] = [median(lowest.slice(0, at)), median(lowest.slice(at))];
  if (best <= 6 || Math.abs(before - after) <= Math.max(25, 0.08 * median(lowest))) return 0;
  const edge = edgeOf(lowest, before, after);
  return lowest.length - edge >= FEWEST_OF_CHANGE ? edge : at;
}

/** The standard deviation of the medians of 30 days each. It shows how much the load drifts over the months. */
function driftOf(lowest: readonly number[]): number {
  const blocks: number[] = [];
  for (let i = 0; i < lowest.length - FEWEST_DAYS; i += 30) blocks.push(median(lowest.slice(i, i + 30)));
  return blocks.length < 3 ? 0 : spreadOf(blocks);
}

/** Hours of the day for which a mean load by day is shown. */
const [MORNING, EVENING] = [9, 17];

/** Power above the base load that only a car or a boiler takes, in W. */
const LARGE = 1300;

function loadsOf(
  { power, local, step }: House,
  since: Day,
  { isNight, value }: { readonly isNight: boolean; readonly value: number },
) {
  const dayOf = (i: number) => Math.floor((local[i] as number) / DAY);
  const own = Array.from(power.keys()).filter((i) => !Number.isNaN(power[i]) && dayOf(i) >= since.day);
  const of = (steps: readonly number[]) => mean(steps.map((i) => power[i] as number));
  const isDark = (i: number) => hourOf(local[i] as number) >= 22 || hourOf(local[i] as number) < 6;
  const isHigh = (i: number) => isDark(i) && (power[i] as number) > value + LARGE;
  const busy = own.filter((i) => isHigh(i) && (step > 54 || isHigh(i - 1)));
  const quarters = Array.from({ length: NIGHT_QUARTERS }, (): number[] => []);
  for (const i of own) {
    // The night begins at 18. A step of an hour covers four quarters.
    const first = Math.round(((hourOf((local[i] as number) - step * 30) + 6) % 24) * 4);
    for (let more = 0; more < Math.max(1, step / 15); more++) quarters[first + more]?.push(power[i] as number);
  }
  const light = own.filter((i) => hourOf(local[i] as number) >= MORNING && hourOf(local[i] as number) < EVENING);
  let last = 0;
  return {
    ...(!isNight && { mean: of(own), ...(light.length > 0 && { daytime: of(light) }) }),
    nights: of(own.filter(isDark)),
    busyNights: new Set(busy.map(dayOf)).size / new Set(own.map(dayOf)).size,
    night: quarters.map((some) => {
      if (some.length > 0) last = median(some);
      return Math.round(last);
    }),
  };
}

/** Quarters of an hour from 18 to 10. */
const NIGHT_QUARTERS = 64;

function hourOf(local: number): number {
  return (local % DAY) / HOUR;
}
