import { calmSamples } from "./calm";
import { type Fit, fitPlanes, type Measured, outputAt, SOME_SAMPLES } from "./fit";
import { dayOf } from "./moments";
import { edgeOf, grouped, type Measurement, measurement, median, quantile, scatterOf } from "./numbers";
import { panelsOf, type Vector } from "./plane";
import type { Series } from "./series";

/** The peak power over the months, in W. */
export interface RoofTrend {
  readonly months: readonly MonthOfRoof[];
  /** A change from one clear day to the next that is larger than the uncertainty, such as a dead string. */
  readonly change?: ChangeOfRoof | undefined;
}

interface MonthOfRoof {
  /** `2025-06`. */
  readonly month: string;
  /** ± for comparing months with each other, not of the absolute power. */
  readonly peakPower: Measurement;
  readonly clearDays: number;
}

interface ChangeOfRoof {
  /** The first clear day after it: `2025-06-14`. */
  readonly since: string;
  /** The change as a share of the power before: -0.33 if a third is missing. */
  readonly share: Measurement;
  readonly before: number;
  readonly after: number;
}

/** A difference between the levels of the weeks before and after a day. */
export interface Step {
  /** The first clear day after it, in days since 1970. */
  readonly since: number;
  /** Both levels, as logarithms. */
  readonly before: number;
  readonly after: number;
  /** Standard deviation of the logarithm of after / before. */
  readonly deviation: number;
}

/** Shortest series with a trend, in days: about 8 months. A shorter one has a trend only if it changes. */
const SHORTEST = 240;

/**
 * The hours of calm sun that a day needs, and the largest scatter of its ratios. Under clouds, ratios drift over the
 * day, and a dull month would look like a dead roof.
 */
const CALM = { hours: 3, scatter: 0.05 };

/** Minimum number of clear days of a month that is shown. */
const FEWEST_OF_MONTH = 3;

/**
 * A day is clear if its level is near the best of the days before it, or of the days after it. With one side alone, the
 * days next to a change would not count.
 */
const CLEAR = { days: 20, fewest: 4, quantile: 0.9, share: 0.9 };

/**
 * The search for a change compares the clear days of some weeks before and after a day. If it compared a whole year,
 * the seasons would look like a change.
 */
const SIDE = { days: 40, fewest: 6 };

/**
 * Limits from which a difference is a change: relative, also in a short series, and in standard deviations. A short series
 * does not show what the seasons alone do.
 */
const CHANGE = { least: Math.log(1.06), leastOfShort: Math.log(1.25), deviations: 4 };

/**
 * Share of a change that must remain between all days before and all days after it. Without this, snow, which melts,
 * would count as a change.
 */
const LASTING = 0.5;

/** A clear day: the logarithm of measured over modeled power. */
interface ClearDay {
  readonly day: number;
  readonly level: number;
}

/** One plane that was found in a series. */
interface FoundRoof {
  /** The series. If the power of the roof has changed, the earlier part is scaled to the later power. */
  readonly measured: Measured;
  readonly fit: Fit;
  readonly change?: Step;
}

/** The peak power by month; undefined if the series is too short. */
export function trendOf({ measured, fit, change }: FoundRoof): RoofTrend | undefined {
  if (!isLong(measured) && !change) return undefined;
  const peak = measured.series.scale * panelsOf(fit.planes[0] as Vector).peakPower;
  const clear = clearDaysOf(measured, fit);
  const byMonth = grouped(clear, ({ day }) => dayOf(day * 86_400).slice(0, 7));
  const months = [...byMonth].flatMap(([month, days]): MonthOfRoof[] => {
    if (days.length < FEWEST_OF_MONTH) return [];
    const levels = days.map(({ day, level }) =>
      change && day < change.since ? level + change.before - change.after : level,
    );
    const own = peak * Math.exp(median(levels));
    return [{ month, peakPower: measurement(own, own * errorOf(levels)), clearDays: levels.length }];
  });
  if (!change) return { months };
  // The change comes from another fit, so only its ratio counts, not its level.
  const after = peak * Math.exp(median(levelsOf(clear, change.since, change.since + SIDE.days)));
  const ratio = Math.exp(change.after - change.before);
  return {
    months,
    change: {
      since: dayOf(change.since * 86_400),
      share: measurement(ratio - 1, change.deviation * ratio, 3),
      before: Math.round(after / ratio),
      after: Math.round(after),
    },
  };
}

/** The change of the peak power in a series, if there is one. @param fit one plane for the whole series */
export function changeOf(measured: Measured, fit: Fit): Step | undefined {
  const likely = mostCertain(stepsOf(clearDaysOf(measured, fit)));
  if (!likely) return undefined;
  // A fit to the whole series hides a part of a change, because it explains it by another direction and haze.
  const { power } = evened(measured, likely);
  const even = fitPlanes({ ...measured, series: { ...measured.series, power } }, 1, SOME_SAMPLES);
  return changeIn(clearDaysOf(measured, even), isLong(measured) ? CHANGE.least : CHANGE.leastOfShort);
}

function isLong({ days }: Measured): boolean {
  return (days.at(-1) as number) - (days[0] as number) >= SHORTEST;
}

/** The series of a roof, with the power before a change brought to the level after it. */
export function evened({ series, days }: Measured, { since, before, after }: Step): Series {
  const factor = Math.exp(after - before);
  return { ...series, power: series.power.map((one, i) => ((days[i] as number) < since ? one * factor : one)) };
}

/** The days with some hours of calm sun whose level is near the best of the days around them. */
function clearDaysOf(measured: Measured, fit: Fit): readonly ClearDay[] {
  const { series, days, usable } = measured;
  const values = outputAt(measured, fit, usable);
  const calm = calmSamples(series, usable, values, (ratio) => ratio > 0);
  const perDay = grouped(calm, (i) => days[usable[i] as number] as number);
  const calmDays = [...perDay].flatMap(([day, own]): ClearDay[] => {
    const levels = own.map((i) => Math.log((series.power[usable[i] as number] as number) / (values[i] as number)));
    const isCalm = levels.length * series.step >= CALM.hours * 60 && scatterOf(levels) < CALM.scatter;
    return isCalm ? [{ day, level: median(levels) }] : [];
  });
  return calmDays.filter((one) => [-1, 1].some((side) => isNearBest(one, calmDays, side)));
}

function isNearBest({ day, level }: ClearDay, all: readonly ClearDay[], side: number): boolean {
  const beside = levelsOf(all, day - (side < 0 ? CLEAR.days : 0), day + (side < 0 ? 1 : CLEAR.days));
  if (beside.length < CLEAR.fewest) return false;
  return level > quantile(Float64Array.from(beside).sort(), CLEAR.quantile) + Math.log(CLEAR.share);
}

function levelsOf(all: readonly ClearDay[], from: number, to: number): number[] {
  return all.filter(({ day }) => day >= from && day < to).map(({ level }) => level);
}

function stepsOf(clear: readonly ClearDay[]): readonly Step[] {
  return clear.flatMap(({ day }) => {
    const [before, after] = [levelsOf(clear, day - SIDE.days, day), levelsOf(clear, day, day + SIDE.days)];
    if (Math.min(before.length, after.length) < SIDE.fewest) return [];
    const [from, to] = [median(before), median(after)];
    return [{ since: day, before: from, after: to, deviation: Math.hypot(errorOf(before), errorOf(after)) }];
  });
}

const sizeOf = ({ before, after }: Step) => Math.abs(after - before);

function mostCertain(steps: readonly Step[]): Step | undefined {
  return steps.toSorted((a, b) => sizeOf(b) / b.deviation - sizeOf(a) / a.deviation)[0];
}

/** The most certain change of the level, if there is one. */
function changeIn(clear: readonly ClearDay[], least: number): Step | undefined {
  const steps = stepsOf(clear);
  const best = mostCertain(steps);
  if (!best) return undefined;
  // The differences at all other days show what season, haze and dirt alone do.
  const others = steps.filter(({ since }) => Math.abs(since - best.since) > SIDE.days).map(sizeOf);
  const deviation = Math.hypot(best.deviation, others.length > 0 ? 1.4826 * median(others) : 0);
  if (sizeOf(best) < Math.max(least, CHANGE.deviations * deviation)) return undefined;
  const { before, after } = best;
  const [first, last] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rest = median(levelsOf(clear, best.since, last)) - median(levelsOf(clear, first, best.since));
  const near = clear.filter(({ day }) => Math.abs(day - best.since) < SIDE.days);
  const edge = edgeOf(
    near.map(({ level }) => level),
    before,
    after,
  );
  const since = near[edge]?.day ?? best.since;
  return rest / (after - before) < LASTING ? undefined : { since, before, after, deviation };
}

/**
 * Standard deviation of a median of days. Weather lasts for some days, so only half of the days count as independent.
 */
function errorOf(levels: readonly number[]): number {
  return (1.25 * Math.max(scatterOf(levels), LEAST_SCATTER)) / Math.sqrt(levels.length / 2);
}

/** Smallest scatter of clear days. Without this, a few days that are equal by chance would look certain. */
const LEAST_SCATTER = 0.01;
