export function sum(values: Float64Array | readonly number[]): number {
  let total = 0;
  for (const one of values) total += one;
  return total;
}

/** The mean of numbers; 0 if there are none. */
export function mean(values: Float64Array | readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

export function median(values: Float64Array | readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

/** A quantile of values in rising order, interpolated if necessary; NaN without values. */
export function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

/** The standard deviation of values, from the median distance to their median: outliers hardly change it. */
export function scatterOf(values: Float64Array | readonly number[]): number {
  const middle = median(values);
  return 1.4826 * median(Float64Array.from(values, (one) => Math.abs(one - middle)));
}

/** The standard deviation of values. */
export function spreadOf(values: Float64Array | readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(Float64Array.from(values, (one) => (one - middle) ** 2)));
}

/** A measured value, and its standard deviation. */
export interface Estimate {
  readonly value: number;
  readonly deviation: number;
}

/** A measured value and its uncertainty, which is twice the standard deviation: 19 of 20 true values are within it. */
export interface Measurement {
  readonly value: number;
  readonly uncertainty: number;
}

/** A value with its standard deviation as it is shown. @param digits after the point */
export function measurement(value: number, deviation: number, digits?: number): Measurement {
  return { value: Number(value.toFixed(digits)), uncertainty: Number((2 * deviation).toFixed(digits)) };
}

/** Groups items by key. The keys are in order of first appearance. */
export function grouped<T, Key>(all: Iterable<T>, keyOf: (one: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/**
 * The index of the first value after a change between two levels. It is more exact than medians, which hardly move if some
 * values are on the wrong side.
 */
export function edgeOf(values: readonly number[], before: number, after: number): number {
  let [total, least, edge] = [0, 0, 0];
  for (const [i, one] of values.entries()) {
    // The sum falls as long as values are nearer to the level before the change.
    total += Math.abs(one - before) - Math.abs(one - after);
    if (total < least) [least, edge] = [total, i + 1];
  }
  return edge;
}
