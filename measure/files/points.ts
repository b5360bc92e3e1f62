import type { Stretches } from "../sky/series";
import { Column } from "../sky/series";
import { factorOf, type Quantity } from "./quantity";

/** The moments of a step that its time can mean. */
export const LABELS = ["start", "middle", "end"] as const;
export type Label = (typeof LABELS)[number];

/** Values with their times, in rising order. */
export interface Points {
  /** Unix seconds. */
  readonly times: Float64Array;
  /** NaN means no value: the value before it ends there. */
  readonly values: Float64Array;
}

/** The interval between values. */
interface Rhythm {
  /** The usual number of minutes between two values. */
  readonly step: number;
  /** Whether values are recorded only when something changes. */
  readonly isIrregular: boolean;
}

/** Seconds for which the last value before a gap lasts, or one step if that is longer. */
const LONGEST_HOLD = 30 * 60;

/**
 * Longest time between two useful readings of a counter, in seconds. After a longer time, the difference does not show
 * the time of day of the energy.
 */
const LONGEST_READING = 75 * 60;

/** Times with several values that a file may have, as a number and as a share: clocks repeat an hour in autumn. */
const [FEW_REPEATS, FEW] = [8, 0.005];

/**
 * Sorts points by time. If several points have the same time, the last one with a value stays.
 * @throws Error if many times have several values: then these are several series
 */
export function sorted({ times, values }: Points, name = ""): Points {
  let isSorted = true;
  for (let i = 1; i < times.length; i++) isSorted &&= (times[i] as number) > (times[i - 1] as number);
  if (isSorted) return { times, values };
  const number = (at: number | undefined) => (at === undefined ? Number.NaN : (values[at] as number));
  // Points without a value come first, so that the last point of a time has a value.
  const order = Array.from(times.keys()).sort(
    (a, b) => (times[a] as number) - (times[b] as number) || +!Number.isNaN(number(a)) - +!Number.isNaN(number(b)),
  );
  const isRepeated = (at: number, i: number) => times[at] === times[order[i + 1] ?? -1];
  const kept = order.filter((at, i) => !isRepeated(at, i));
  const several = order.filter((at, i) => isRepeated(at, i) && Math.abs(number(at) - number(order[i + 1])) > 0).length;
  if (several > Math.max(FEW_REPEATS, FEW * kept.length))
    throw new Error(
      `'${name}' has several values for ${several} times, and no column tells their rows apart: export one meter, register or device`,
    );
  return {
    times: Float64Array.from(kept, (at) => times[at] as number),
    values: Float64Array.from(kept, (at) => values[at] as number),
  };
}

/** Number of readings within which a counter that fell can be back at its earlier value. */
const SOON = 4;

function comesBack(values: Float64Array, i: number): boolean {
  return values.subarray(i + 1, i + 1 + SOON).some((value) => value >= (values[i - 1] as number));
}

/** The index of the first time after another. */
export function firstAfter(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The rhythm of times in rising order. */
export function rhythmOf(times: Float64Array): Rhythm {
  const gaps = times.subarray(1).map((time, i) => time - (times[i] as number));
  const usual = gaps.slice().sort()[Math.floor(gaps.length / 2)] ?? 0;
  const same = gaps.filter((gap) => Math.abs(gap - usual) <= 0.1 * usual).length;
  return { step: Math.max(0.1, Math.round(usual / 6) / 10), isIrregular: same < 0.6 * gaps.length };
}

/** The points as mean powers. */
export function stretchesOf(points: Points, rhythm: Rhythm, { kind, unit }: Quantity, label: Label): Stretches {
  const { times, values } = points;
  const factor = factorOf(unit);
  const seconds = rhythm.step * 60;
  const before = { start: 0, middle: seconds / 2, end: seconds }[label];
  const [from, to, watts] = [new Column(), new Column(), new Column()];
  let highest = Number.NEGATIVE_INFINITY;
  const add = (begin: number, end: number, value: number) => {
    if (!(end > begin) || Number.isNaN(value)) return;
    from.add(begin);
    to.add(end);
    watts.add(value * factor * (kind === "power" ? 1 : 3600 / (end - begin)));
  };
  for (const [i, value] of values.entries()) {
    const time = times[i] as number;
    if (kind === "counter") {
      // A difference covers the time before its reading. After a reset, the reading itself is the difference.
      const [earlier, last] = [times[i - 1] ?? Number.NEGATIVE_INFINITY, values[i - 1] as number];
      // A restart can show 0 for a moment. The next reading then has the difference from the reading before the 0.
      const isBack = last < highest && value >= highest;
      if (value < last && comesBack(values, i)) continue;
      if (time - earlier <= LONGEST_READING && !isBack) add(earlier, time, value < last ? value : value - last);
      highest = value;
    }
    // A value that is recorded only when it changes lasts until the next one.
    else if (rhythm.isIrregular) add(time, Math.min(times[i + 1] ?? time, time + LONGEST_HOLD), value);
    else add(time - before, time - before + seconds, value);
  }
  return { from: from.all(), to: to.all(), watts: watts.all() };
}
