import { fitPlanes, isFittable, type Measured, measuredOf, SOME_SAMPLES } from "./fit";
import { type Coordinates, dayOf } from "./moments";
import { mean } from "./numbers";
import type { Series } from "./series";

/** A change of a series' clock by an hour. */
export interface ClockJump {
  /** The first day after it: `2025-10-26`. */
  readonly since: string;
  /** Minutes by which the times since that day are late, compared with the times before; early if negative. */
  readonly minutesLate: number;
}

/** The days before and after a jump that are compared, and the minimum number of them with power. */
const AROUND = { days: 45, nearest: 14, fewest: 8 };

/**
 * Smallest change of the middle of a day's production, in minutes, that is a jump. Weather and snow rarely change it
 * more within two weeks.
 */
const LEAST_CHANGE = 25;

/**
 * One plane must explain this many times as many samples after the correction as before it. It was 1.3 to 1.9 times in
 * our tests, and at most 1.1 times without a jump.
 */
const MORE = 1.2;

/** Smallest power of the first and last sample of a day, relative to the strongest one. */
const FAINT = 0.02;

/** Lowest sun at the first and last sample of a day, in degrees: a meter may show something at night. */
const LOWEST = -10;

/**
 * Brings the times of a series to one clock, if its clock changed with daylight saving. Without this, a roof looks like
 * two planes, because the parts of the series have other azimuths.
 */
export function withOneClock(measured: Measured, place: Coordinates): { measured: Measured; jumps: ClockJump[] } {
  let { series } = measured;
  const jumps: ClockJump[] = [];
  const middles = middlesOf(measured);
  for (const since of changeDaysIn(measured.days, place)) {
    const change = meanOf(middles, since) - meanOf(middles, since - AROUND.nearest);
    if (!(Math.abs(change) >= LEAST_CHANGE)) continue;
    const minutesLate = change < 0 ? -60 : 60;
    const jump = (one: Series) => withoutJump(one, since * 86_400, minutesLate);
    const [from, to] = [since - AROUND.days, since + AROUND.days].map((day) => day * 86_400) as [number, number];
    const near = selected(series, (time) => time >= from && time < to);
    const explained = (one: Series) => explainedBy(measuredOf(one, place, measured.clock));
    if (explained(jump(near)) < MORE * Math.max(explained(near), 1)) continue;
    series = jump(series);
    jumps.push({ since: dayOf(since * 86_400), minutesLate });
  }
  const [first] = jumps;
  if (!first) return { measured, jumps };
  // Either the clock before the jump or the clock after it is right.
  const { shift, deviation } = measured.clock;
  const both = [shift, shift + first.minutesLate].map((one) => measuredOf(series, place, { shift: one, deviation }));
  const [best] = both.sort((one, other) => explainedBy(other) - explainedBy(one));
  return { measured: best && isFittable(best) ? best : measured, jumps };
}

/** The number of clear samples that one plane explains. */
function explainedBy(measured: Measured): number {
  return isFittable(measured) ? fitPlanes(measured, 1, SOME_SAMPLES).samples.length : 0;
}

/** Days since 1970 on which clocks change: in Europe and North America, or in Australia. */
function changeDaysIn(days: Int32Array, { latitude }: Coordinates): number[] {
  const [first, last] = [days[0] as number, days.at(-1) as number];
  return Array.from({ length: last - first }, (_, i) => first + i).filter((day) => {
    const at = new Date(day * 86_400_000);
    const [month, date] = [at.getUTCMonth() + 1, at.getUTCDate()];
    const isNorth =
      (month === 3 && date > 7 && date < 15) || ([3, 10].includes(month) && date > 24) || (month === 11 && date < 8);
    const isSouth = [4, 10].includes(month) && date < 8;
    return at.getUTCDay() === 0 && (latitude < 0 ? isSouth : isNorth);
  });
}

/** The middle between the first and the last power of each day, in minutes after the sun is highest. */
function middlesOf({ series: { power }, moments, days }: Measured): ReadonlyMap<number, number> {
  const { east, north, up, altitude } = moments;
  const latitude = (moments.latitude * Math.PI) / 180;
  const middles = new Map<number, { readonly first: number; readonly last: number }>();
  for (const [i, day] of days.entries()) {
    if (!((power[i] as number) > FAINT) || (altitude[i] as number) < LOWEST) continue;
    const meridian = Math.cos(latitude) * (up[i] as number) - Math.sin(latitude) * (north[i] as number);
    const angle = Math.atan2(-(east[i] as number), meridian);
    middles.set(day, { first: middles.get(day)?.first ?? angle, last: angle });
  }
  return new Map([...middles].map(([day, { first, last }]) => [day, ((first + last) / 2) * (720 / Math.PI)]));
}

/** The mean of some days without the extremes; NaN if there are too few. */
function meanOf(middles: ReadonlyMap<number, number>, from: number): number {
  const known = Array.from({ length: AROUND.nearest }, (_, i) => middles.get(from + i)).filter(
    (one) => one !== undefined,
  );
  if (known.length < AROUND.fewest) return Number.NaN;
  const cut = Math.floor(known.length / 5);
  return mean(known.sort((a, b) => a - b).slice(cut, known.length - cut));
}

/** The series with all times in the clock from before a jump. If a time then exists twice, its first value stays. */
function withoutJump(series: Series, since: number, minutesLate: number): Series {
  const times = series.times.map((time) => (time < since ? time : time - minutesLate * 60));
  let last = Number.NEGATIVE_INFINITY;
  return selected({ ...series, times }, (time) => {
    const isLater = time > last;
    last = Math.max(last, time);
    return isLater;
  });
}

function selected(series: Series, isKept: (time: number) => boolean): Series {
  const kept = Array.from(series.times.keys()).filter((i) => isKept(series.times[i] as number));
  return {
    ...series,
    times: Float64Array.from(kept, (i) => series.times[i] as number),
    power: Float64Array.from(kept, (i) => series.power[i] as number),
  };
}
