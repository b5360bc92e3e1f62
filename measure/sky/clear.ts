import type { Moments } from "./moments";
import { quantile } from "./numbers";
import type { Series } from "./series";

/** Power below which samples are ignored, relative to the strongest. */
const FAINT = 0.03;

/** Number of days before and after a day with which the day is compared. */
const DAYS_AROUND = 12;

/**
 * The samples of a clear sky, found without a model of the roof. They are of a sunny day, change smoothly, and are near
 * the highest power at this time of day within some weeks. Smooth overcast days do not count as sunny.
 * @param days the local solar day of each sample
 */
export function clearSamples({ times, power, step }: Series, moments: Moments, days: Int32Array): boolean[] {
  const perDay = Math.round(1440 / step);
  const first = days[0] as number;
  const count = (days[days.length - 1] as number) - first + 1;
  const grid = new Float64Array(count * perDay).fill(Number.NaN);
  const sun = new Float64Array(count * perDay);
  const cellOf = (i: number) => {
    const time = Math.floor((times[i] as number) / 60 / step) % perDay;
    return ((days[i] as number) - first) * perDay + time;
  };
  for (let i = 0; i < times.length; i++) {
    grid[cellOf(i)] = power[i] as number;
    sun[cellOf(i)] = (Math.max(moments.up[i] as number, 0) * (moments.extraterrestrial[i] as number)) / 1361;
  }
  const sunny = sunnyDays(grid, sun, count, perDay);
  const envelope = envelopeOf(grid, count, perDay);
  const rough = roughness(grid, Math.max(1, Math.round(30 / step)));
  const smooth = step <= 15 ? 0.035 : step <= 30 ? 0.07 : 0.13;
  return Array.from(times, (_, i) => {
    const [cell, value] = [cellOf(i), power[i] as number];
    return (
      sunny[(days[i] as number) - first] === true &&
      value > 0.82 * (envelope[cell] as number) &&
      (rough[cell] as number) < smooth
    );
  });
}

/** Marks sunny days: their share of the energy of a clear sky is nearly that of the best days around them. */
function sunnyDays(grid: Float64Array, sun: Float64Array, count: number, perDay: number): boolean[] {
  const index = Array.from({ length: count }, (_, day) => {
    let [energy, light, lit] = [0, 0, 0];
    for (let cell = day * perDay; cell < (day + 1) * perDay; cell++) {
      if (Number.isNaN(grid[cell])) continue;
      energy += grid[cell] as number;
      light += sun[cell] as number;
      lit += (sun[cell] as number) > 0 ? 1 : 0;
    }
    // A day with less than an hour of known sun is ignored.
    return lit * 1440 >= 60 * perDay ? energy / Math.max(light, 0.5) : Number.NaN;
  });
  return index.map((own, day) => own > 0.6 * quantile(known(around(index, day, count)), 0.95));
}

/** A high quantile of the power at the same time of the days around, for each time of each day. */
function envelopeOf(grid: Float64Array, count: number, perDay: number): Float64Array {
  const envelope = new Float64Array(grid.length).fill(Number.NaN);
  for (let time = 0; time < perDay; time++) {
    const column = Array.from({ length: count }, (_, day) => grid[day * perDay + time] as number);
    for (let day = 0; day < count; day++) {
      // Only strong samples can be clear ones.
      if (!((grid[day * perDay + time] as number) > FAINT)) continue;
      envelope[day * perDay + time] = quantile(known(around(column, day, count)), 0.88);
    }
  }
  return envelope;
}

function around(values: readonly number[], day: number, count: number): readonly number[] {
  return values.slice(Math.max(0, day - DAYS_AROUND), Math.min(count, day + DAYS_AROUND + 1));
}

function known(values: readonly number[]): Float64Array {
  return Float64Array.from(values.filter((one) => !Number.isNaN(one))).sort();
}

/** The largest second difference around each sample; infinite beside a gap. */
function roughness(grid: Float64Array, reach: number): Float64Array {
  const bends = grid.map((value, i) => {
    const bend = Math.abs((grid[i + 1] as number) - 2 * value + (grid[i - 1] as number));
    return Number.isNaN(bend) ? Number.POSITIVE_INFINITY : bend;
  });
  return bends.map((_, i) => Math.max(...bends.subarray(Math.max(0, i - reach), i + reach + 1)));
}
