import type { Stretch } from "../../sky/series";
import { factorOf, type Kind, type Quantity } from "./quantity";

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
export interface Rhythm {
  /** Usual minutes between two values. */
  readonly step: number;
  /** Whether values are recorded only when something changes. */
  readonly isIrregular: boolean;
}

/** Seconds for which the last value before a gap lasts, unless its step is longer. */
const LONGEST_HOLD = 30 * 60;

/**
 * Longest time between two useful readings of a counter, in seconds: after a longer time, the difference belongs to no
 * time of day.
 */
const LONGEST_READING = 75 * 60;

/** Sorts points by time. Of several points with the same time, the last one stays. */
export function sorted({ times, values }: Points): Points {
  let isSorted = true;
  for (let i = 1; i < times.length; i++) isSorted &&= (times[i] as number) > (times[i - 1] as number);
  if (isSorted) return { times, values };
  const order = Array.from(times.keys()).sort((a, b) => (times[a] as number) - (times[b] as number));
  const kept = order.filter((at, i) => times[at] !== times[order[i + 1] ?? -1]);
  return {
    times: Float64Array.from(kept, (at) => times[at] as number),
    values: Float64Array.from(kept, (at) => values[at] as number),
  };
}

/** The rhythm of times in rising order. */
export function rhythmOf(times: Float64Array): Rhythm {
  const gaps = Float64Array.from(times.slice(1), (time, i) => time - (times[i] as number));
  const usual = gaps.slice().sort()[Math.floor(gaps.length / 2)] ?? 0;
  const same = gaps.filter((gap) => Math.abs(gap - usual) <= 0.1 * usual).length;
  return { step: Math.round(usual / 6) / 10, isIrregular: same < 0.6 * gaps.length };
}

/** The points as mean powers. */
export function stretchesOf(points: Points, rhythm: Rhythm, { kind, unit }: Quantity, label: Label): Stretch[] {
  const factor = factorOf(unit);
  if (kind === "counter") return readings(points, factor);
  if (rhythm.isIrregular) return held(points, factor, kind);
  const seconds = rhythm.step * 60;
  const before = { start: 0, middle: seconds / 2, end: seconds }[label];
  const perStep = kind === "energy" ? (factor * 3600) / seconds : factor;
  const stretches: Stretch[] = [];
  for (const [i, value] of points.values.entries()) {
    const from = (points.times[i] as number) - before;
    if (!Number.isNaN(value)) stretches.push({ from, to: from + seconds, watts: value * perStep });
  }
  return stretches;
}

/** Differences between readings of a counter. Each covers the time before its reading. */
function readings({ times, values }: Points, factor: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let i = 1; i < times.length; i++) {
    const [from, to] = [times[i - 1] as number, times[i] as number];
    const [before, after] = [values[i - 1] as number, values[i] as number];
    const isReset = after < before;
    if (to - from > LONGEST_READING || Number.isNaN(after - before)) continue;
    // The count since a reset is known; the count before it is lost.
    stretches.push({ from, to, watts: ((isReset ? after : after - before) * factor * 3600) / (to - from) });
  }
  return stretches;
}

/** Values that last until the next one. */
function held({ times, values }: Points, factor: number, kind: Kind): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const from = times[i] as number;
    const to = Math.min(times[i + 1] ?? from, from + LONGEST_HOLD);
    const watts = kind === "energy" ? (value * factor * 3600) / (to - from) : value * factor;
    if (to > from) stretches.push({ from, to, watts });
  }
  return stretches;
}
