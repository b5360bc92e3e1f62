/** A problem of least squares: find the parameters whose model is nearest to the measurement. */
export interface FitProblem {
  readonly measured: Float64Array;
  /** The model's values at the same places, into `out`. */
  readonly model: (parameters: readonly number[], out: Float64Array) => void;
  /** The expected value of each parameter, and its standard deviation. */
  readonly prior: readonly number[];
  readonly deviation: readonly number[];
  /** Further expectations of the parameters, each 0 if it is met and 1 at one standard deviation. */
  readonly expectations?: (parameters: readonly number[]) => readonly number[];
  /** Weight of each sample, from 0 to 1: neighbours are not independent of each other. */
  readonly weight: number;
  /** The day of each sample, in rising order. */
  readonly days: Int32Array;
}

export interface Solution {
  readonly parameters: readonly number[];
  /** Residuals in standard deviations. */
  readonly residuals: Float64Array;
  /** Weight of each sample, 0 for outliers. */
  readonly weights: Float64Array;
  /** The samples by day. */
  readonly perDay: DaySums;
  /** Derivatives of the model by each parameter, in standard deviations. */
  readonly derivatives: readonly Float64Array[];
  /** The normal matrix with the priors, row by row. */
  readonly normal: readonly (readonly number[])[];
  /** The part of `normal` that comes from the priors and expectations. */
  readonly normalOfPriors: readonly (readonly number[])[];
}

/** Standard deviation of a measured value: a share of the roof's power, and a share of the value (calibrated). */
export function deviationOf(model: number): number {
  return 0.012 + 0.03 * model;
}

/**
 * Solves by the method of Levenberg and Marquardt, with Gaussian priors and with Tukey's weights, which leave outliers
 * out. Derivatives are by differences.
 */
export function solve(problem: FitProblem, start: readonly number[], steps: number): Solution {
  const { measured, model, prior, deviation, expectations = () => [], weight, days } = problem;
  const [count, size] = [measured.length, start.length];
  let parameters = [...start];
  let values = new Float64Array(count);
  let tried = new Float64Array(count);
  const beside = new Float64Array(count);
  let residuals = new Float64Array(count);
  let triedResiduals = new Float64Array(count);
  const derivatives = Array.from({ length: size }, () => new Float64Array(count));
  const perDay = new DaySums(days);
  const residualsOf = (of: Float64Array, out: Float64Array) => {
    for (let i = 0; i < count; i++)
      out[i] = ((measured[i] as number) - (of[i] as number)) / deviationOf(of[i] as number);
  };
  const costOf = (of: Float64Array, weights: Float64Array, at: readonly number[]) => {
    const own = withSums(perDay, weights, of);
    let cost = productOf(weights, sharesOf(perDay, weights), own, own);
    for (let j = 0; j < size; j++) cost += (((at[j] as number) - (prior[j] as number)) / (deviation[j] as number)) ** 2;
    for (const off of expectations(at)) cost += off ** 2;
    return cost;
  };
  model(parameters, values);
  residualsOf(values, residuals);
  let weights = tukey(residuals, weight);
  let normal: number[][] = [];
  let normalOfPriors: number[][] = [];
  let damping = 1e-2;
  for (let step = 0; step < steps; step++) {
    for (let j = 0; j < size; j++) {
      const width = 1e-4 * Math.max(1, Math.abs(parameters[j] as number));
      model(with_(parameters, j, width), beside);
      const column = derivatives[j] as Float64Array;
      for (let i = 0; i < count; i++) {
        column[i] = ((beside[i] as number) - (values[i] as number)) / width / deviationOf(values[i] as number);
      }
    }
    const off = expectations(parameters);
    const slopes = parameters.map((_, j) =>
      expectations(with_(parameters, j, 1e-4)).map((one, index) => (one - (off[index] as number)) / 1e-4),
    );
    normalOfPriors = slopes.map((row, j) =>
      slopes.map((column, k) => dot(row, column) + (j === k ? 1 / (deviation[j] as number) ** 2 : 0)),
    );
    const shares = sharesOf(perDay, weights);
    const columns = derivatives.map((column) => withSums(perDay, weights, column));
    const misses = withSums(perDay, weights, residuals);
    const products = columns.map((column, j) =>
      columns.slice(0, j + 1).map((other) => productOf(weights, shares, column, other)),
    );
    normal = normalOfPriors.map((row, j) =>
      row.map((own, k) => own + (products[Math.max(j, k)]?.[Math.min(j, k)] as number)),
    );
    const gradient = parameters.map(
      (value, j) =>
        productOf(weights, shares, columns[j] as WithSums, misses) -
        (value - (prior[j] as number)) / (deviation[j] as number) ** 2 -
        dot(slopes[j] as number[], off),
    );
    const before = costOf(residuals, weights, parameters);
    let change: number[] | undefined;
    for (let attempt = 0; attempt < 6 && !change; attempt++) {
      const damped = normal.map((row, j) => row.map((value, k) => (j === k ? value * (1 + damping) : value)));
      const delta = solveLinear(damped, gradient);
      const next = parameters.map((value, j) => value + (delta[j] as number));
      model(next, tried);
      residualsOf(tried, triedResiduals);
      if (costOf(triedResiduals, weights, next) < before) {
        change = delta;
        parameters = next;
        damping = Math.max(damping / 5, 1e-7);
      } else damping *= 6;
    }
    if (!change) break;
    [values, tried] = [tried, values];
    [residuals, triedResiduals] = [triedResiduals, residuals];
    weights = tukey(residuals, weight);
    if (change.every((one) => Math.abs(one) < 1e-4)) break;
  }
  return { parameters, residuals, weights, perDay, derivatives, normal, normalOfPriors };
}

function with_(parameters: readonly number[], index: number, more: number): number[] {
  return parameters.map((value, j) => (j === index ? value + more : value));
}

/** Tukey's weights: they fall with the size of the residual, to 0 at 4.7 times the usual one. */
function tukey(residuals: Float64Array, weight: number): Float64Array {
  const scale = Math.max(1.4826 * median(residuals.map(Math.abs)), 0.3);
  return residuals.map((residual) => {
    const z = residual / (4.685 * scale);
    return Math.abs(z) < 1 ? weight * (1 - z * z) ** 2 : 0;
  });
}

export function median(values: Float64Array | readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

/** A quantile of values in rising order, interpolated if necessary. */
export function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

/** Sums over the samples of each day. */
export class DaySums {
  /** The position behind the last sample of each day. */
  private readonly ends: readonly number[];

  /** @param days the day of each sample, in rising order */
  constructor(days: Int32Array) {
    this.ends = Array.from(days.keys(), (i) => i + 1).filter((end) => days[end] !== days[end - 1]);
  }

  of(valueAt: (sample: number) => number): Float64Array {
    const sums = new Float64Array(this.ends.length);
    let sample = 0;
    for (const [day, end] of this.ends.entries()) {
      let sum = 0;
      for (; sample < end; sample++) sum += valueAt(sample);
      sums[day] = sum;
    }
    return sums;
  }
}

/** Values of the samples, with their weighted sum for each day. */
interface WithSums {
  readonly values: Float64Array;
  readonly sums: Float64Array;
}

function withSums(perDay: DaySums, weights: Float64Array, values: Float64Array): WithSums {
  return { values, sums: perDay.of((i) => (weights[i] as number) * (values[i] as number)) };
}

function sharesOf(perDay: DaySums, weights: Float64Array): Float64Array {
  return perDay.of((i) => weights[i] as number).map(levelShare);
}

/**
 * A weighted product without the part that the levels of the days explain. Haze, heat and dirt raise or lower a whole
 * day, so its samples share an error. Without this, such days would tilt and turn the roof.
 * @param shares that the level of each day explains
 */
function productOf(weights: Float64Array, shares: Float64Array, a: WithSums, b: WithSums): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++)
    total += (weights[i] as number) * (a.values[i] as number) * (b.values[i] as number);
  for (let day = 0; day < shares.length; day++)
    total -= (shares[day] as number) * (a.sums[day] as number) * (b.sums[day] as number);
  return total;
}

/**
 * The share of a day's sums that its level explains. The level has the standard deviation of one sample (calibrated on
 * real series): with 0 or 2 of them, the tilts of real roofs were further off.
 * @param weight of all samples of the day
 */
export function levelShare(weight: number): number {
  return 1 / (1 + weight);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, one, index) => total + one * (b[index] as number), 0);
}

/** x of matrix·x = right, for a symmetric positive definite matrix (Cholesky). */
export function solveLinear(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const size = right.length;
  const lower = Array.from({ length: size }, () => new Float64Array(size));
  for (let j = 0; j < size; j++) {
    for (let k = 0; k <= j; k++) {
      let rest = matrix[j]?.[k] as number;
      for (let m = 0; m < k; m++) rest -= (lower[j]?.[m] as number) * (lower[k]?.[m] as number);
      const row = lower[j] as Float64Array;
      row[k] = j === k ? Math.sqrt(Math.max(rest, 1e-12)) : rest / (lower[k]?.[k] as number);
    }
  }
  const forward: number[] = [];
  for (let j = 0; j < size; j++) {
    let rest = right[j] as number;
    for (let m = 0; m < j; m++) rest -= (lower[j]?.[m] as number) * (forward[m] as number);
    forward.push(rest / (lower[j]?.[j] as number));
  }
  const x = new Array<number>(size).fill(0);
  for (let j = size - 1; j >= 0; j--) {
    let rest = forward[j] as number;
    for (let m = j + 1; m < size; m++) rest -= (lower[m]?.[j] as number) * (x[m] as number);
    x[j] = rest / (lower[j]?.[j] as number);
  }
  return x;
}

/** The inverse of a symmetric positive definite matrix. */
export function inverse(matrix: readonly (readonly number[])[]): number[][] {
  return matrix.map((_, j) =>
    solveLinear(
      matrix,
      matrix.map((__, k) => (j === k ? 1 : 0)),
    ),
  );
}
