import { quantile } from "./solve";

/** Mean power over a stretch of time. Times are unix seconds, power is in W. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly watts: number;
}

/** Mean powers over steps of equal length, in rising order; steps without a value are left out. */
export interface Series {
  /** The middle of each step, unix seconds. */
  readonly times: Float64Array;
  /** Power, scaled so that the strongest values are about 1. */
  readonly power: Float64Array;
  /** W for each unit of `power`. */
  readonly scale: number;
  /** Minutes of a step. */
  readonly step: number;
  /** The flat top of the series, in the unit of `power`: the limit of the inverter or of the grid. */
  readonly limit?: number;
}

/** Shortest steps, in minutes: shorter ones add no information, and a cloud of some seconds would count as weather. */
const SHORTEST_STEP = 15;

/** The part of a step that has to be measured. */
const FILLED = 0.6;

/** Minimum number of steps with power for a result. */
const FEWEST = 100;

/**
 * The stretches as steps of at least 15 minutes that begin when the stretches begin; undefined if there are too few.
 */
export function seriesOf(stretches: readonly Stretch[], measuredStep: number): Series | undefined {
  const step = Math.max(measuredStep, SHORTEST_STEP);
  const width = step * 60;
  const { times: starts, watts } = meansOf(
    stretches.map((one) => ({ ...one, watts: Math.max(one.watts, 0) })),
    width,
  );
  const positive = watts.filter((one) => one > 0).sort();
  if (positive.length < FEWEST) return undefined;
  const scale = quantile(positive, 0.995);
  const limit = flatTopOf(Float64Array.from(stretches, (one) => one.watts));
  return {
    times: starts.map((start) => start + width / 2),
    power: watts.map((one) => one / scale),
    scale,
    step,
    ...(limit !== undefined && { limit: limit / scale }),
  };
}

/** Mean powers over steps of equal length, and the start of each step. @param width seconds of a step */
export function meansOf(
  stretches: readonly Stretch[],
  width: number,
  phase = phaseOf(stretches, width),
): { readonly times: Float64Array; readonly watts: Float64Array } {
  const cells = new Map<number, { energy: number; filled: number }>();
  for (const { from, to, watts } of stretches) {
    for (let cell = Math.floor((from - phase) / width); cell * width + phase < to; cell++) {
      const start = cell * width + phase;
      const overlap = Math.min(to, start + width) - Math.max(from, start);
      const known = cells.get(cell) ?? { energy: 0, filled: 0 };
      known.energy += overlap * watts;
      known.filled += overlap;
      cells.set(cell, known);
    }
  }
  const filled = [...cells].filter(([, { filled: seconds }]) => seconds >= FILLED * width).sort(([a], [b]) => a - b);
  return {
    times: Float64Array.from(filled, ([cell]) => cell * width + phase),
    watts: Float64Array.from(filled, ([, { energy, filled: seconds }]) => energy / seconds),
  };
}

/**
 * The second of a step at which most stretches begin. Without this, a clock that is wrong by 19 minutes would spread
 * each value over two steps.
 */
function phaseOf(stretches: readonly Stretch[], width: number): number {
  const counts = new Map<number, number>();
  for (const { from } of stretches) {
    const phase = ((Math.round(from) % width) + width) % width;
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && most[1] > 0.5 * stretches.length ? most[0] : 0;
}

/** The power at which a limit cuts the output: many values are next to it, and few are a little below. */
function flatTopOf(watts: Float64Array): number | undefined {
  const top = watts.reduce((most, one) => Math.max(most, one), 0);
  const high = watts
    .filter((one) => one > 0.02 * top)
    .sort()
    .reverse();
  if (high.length < 50) return undefined;
  const level = high[Math.max(3, Math.floor(high.length * 0.002))] as number;
  const share = (from: number, to: number) =>
    high.filter((one) => one > level * from && one <= level * to).length / high.length;
  const near = share(0.985, 1.03);
  return near > 0.02 && near > 2.2 * share(0.955, 0.985) ? level : undefined;
}
