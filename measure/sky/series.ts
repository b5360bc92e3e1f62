import { quantile } from "./numbers";

/**
 * The form of all powers over time, from a file to an estimate: the means of stretches of time, in the order in which
 * these begin. Times are unix seconds, powers are in W. Sums and means are stretches of equal length. Only the fit of a
 * roof (`Series`) and the load of a house (`House`) need another form.
 */
export interface Stretches {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly watts: Float64Array;
}

/** Mean powers over steps of equal length, in rising order; steps without a value are left out. */
export interface Series {
  /** The middle of each step, unix seconds. */
  readonly times: Float64Array;
  /** Power. The strongest values are about 1. */
  readonly power: Float64Array;
  /** W for each unit of `power`. */
  readonly scale: number;
  /** Minutes of a step. */
  readonly step: number;
  /**
   * The highest power that a limit of the inverter or of the grid allows, in the unit of `power`: the series is flat
   * there.
   */
  readonly limit?: number;
}

/** Shortest steps, in minutes: shorter ones add no information, and a cloud of some seconds would count as weather. */
const SHORTEST_STEP = 15;

/** The part of a step that has to be measured. */
const FILLED = 0.6;

/** Minimum number of steps with power for a result. */
const FEWEST = 100;

/**
 * The stretches as steps of at least 15 minutes, which begin at the same moments as the stretches; undefined if there
 * are too few.
 */
export function seriesOf(stretches: Stretches, measuredStep: number): Series | undefined {
  const step = Math.max(measuredStep, SHORTEST_STEP);
  const width = step * 60;
  const produced = { ...stretches, watts: stretches.watts.map((one) => Math.max(one, 0)) };
  const { from, watts } = meansOf(produced, width);
  const positive = watts.filter((one) => one > 0).sort();
  if (positive.length < FEWEST) return undefined;
  const scale = quantile(positive, 0.995);
  const limit = flatTopOf(stretches.watts);
  return {
    times: from.map((start) => start + width / 2),
    power: watts.map((one) => one / scale),
    scale,
    step,
    ...(limit !== undefined && { limit: limit / scale }),
  };
}

/** Mean powers over steps of equal length. @param width seconds of a step */
export function meansOf({ from, to, watts }: Stretches, width: number, phase = phaseOf(from, width)): Stretches {
  const [starts, means] = [new Column(), new Column()];
  /** The steps that the next stretches can reach, from the first of them. */
  const open: { energy: number; filled: number }[] = [];
  let first = 0;
  const close = (before: number) => {
    for (; open.length > 0 && first < before; first++) {
      const { energy, filled } = open.shift() as (typeof open)[number];
      if (filled < FILLED * width) continue;
      starts.add(first * width + phase);
      means.add(energy / filled);
    }
    first = before;
  };
  for (const [i, begin] of from.entries()) {
    const end = to[i] as number;
    const cell = Math.floor((begin - phase) / width);
    close(cell);
    for (let at = cell; at * width + phase < end; at++) {
      const start = at * width + phase;
      const overlap = Math.min(end, start + width) - Math.max(begin, start);
      open[at - first] ??= { energy: 0, filled: 0 };
      const step = open[at - first] as (typeof open)[number];
      step.energy += overlap * (watts[i] as number);
      step.filled += overlap;
    }
  }
  close(Number.POSITIVE_INFINITY);
  return stepsAt(starts.all(), width, means.all());
}

/** Stretches of equal length. @param width seconds of a step */
export function stepsAt(from: Float64Array, width: number, watts: Float64Array): Stretches {
  return { from, to: from.map((at) => at + width), watts };
}

/**
 * The second within a step at which most stretches begin. Without this, a clock that is wrong by 19 minutes would
 * spread each value over two steps.
 */
function phaseOf(from: Float64Array, width: number): number {
  const counts = new Map<number, number>();
  for (const begin of from) {
    const phase = Math.round(begin) % width;
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && most[1] > 0.5 * from.length ? most[0] : 0;
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

/** Numbers that come one by one. Without this, each of a million would be an object. */
export class Column {
  #values = new Float64Array(1024);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const more = new Float64Array(2 * this.#length);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.#length++] = value;
  }

  all(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}
