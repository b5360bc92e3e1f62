import { median } from "./numbers";

/** A problem of least squares: to find the parameters whose model is nearest to the measurement. */
export interface FitProblem {
  readonly measured: Float64Array;
  /** The model's values at the same places, into `out`. */
  readonly model: (parameters: readonly number[], out: Float64Array) => void;
  /** The distances of parameters from their expected values, in standard deviations. */
  readonly expectations: (parameters: readonly number[]) => readonly number[];
  /** Weight of each sample, from 0 to 1: neighbours are not independent of each other. */
  readonly weight: number;
  /** The day of each sample, in rising order. */
  readonly days: Int32Array;
}

export interface Solution {
  readonly parameters: readonly number[];
  /** The sum of squares of the residuals, each at most 4, and of the distances from expected values. */
  readonly cost: number;
  /** The covariance of the parameters. It is calculated on demand. */
  readonly covariance: () => number[][];
}

/** Standard deviation of a measured value: a share of the roof's power, and a share of the value (calibrated). */
export function deviationOf(model: number): number {
  return 0.012 + 0.03 * model;
}

/** The largest residual that counts in full, in standard deviations. */
const MOST_RESIDUAL = 4;

/** The limited square of a residual: beyond the limit, the size of an outlier means nothing. */
export function limitedSquare(residual: number): number {
  return Math.min(Math.abs(residual), MOST_RESIDUAL) ** 2;
}

/**
 * Solves by the method of Levenberg and Marquardt, with Gaussian expectations and with Tukey's weights, which leave
 * outliers out. Derivatives are by differences.
 */
export function solve(problem: FitProblem, start: readonly number[], steps: number): Solution {
  const { weight, days } = problem;
  let state = stateAt(problem, start);
  let weights = tukey(state.residuals, weight);
  let slopes: Misses[] = [];
  let damping = 1e-2;
  for (let step = 0; step < steps; step++) {
    slopes = slopesAt(problem, state);
    const rowsOf = rowsWith(weights, days);
    const columns = slopes.map(rowsOf);
    const misses = rowsOf(state);
    const normal = productsOf(columns);
    const gradient = columns.map((column) => -dot(column, misses));
    let change: number[] | undefined;
    for (let attempt = 0; attempt < 6 && !change; attempt++) {
      const damped = normal.map((row, j) => row.map((value, k) => (j === k ? value * (1 + damping) : value)));
      const delta = solveLinear(damped, gradient);
      const next = stateAt(
        problem,
        state.parameters.map((value, j) => value + (delta[j] as number)),
      );
      const left = rowsOf(next);
      if (dot(left, left) < dot(misses, misses)) {
        [change, state] = [delta, next];
        damping = Math.max(damping / 5, 1e-7);
      } else damping *= 6;
    }
    if (!change) break;
    weights = tukey(state.residuals, weight);
    if (change.every((one) => Math.abs(one) < 1e-4)) break;
  }
  const { parameters, residuals, off } = state;
  const cost = residuals.reduce((sum, one) => sum + weight * limitedSquare(one), 0) + dot(off, off);
  return { parameters, cost, covariance: () => covarianceOf(slopes, state, weights, days) };
}

/**
 * The differences between model and measurement: residuals, and distances from expected values, in standard deviations.
 */
interface Misses {
  readonly residuals: Float64Array;
  readonly off: readonly number[];
}

/** Parameters with their misses. */
interface State extends Misses {
  readonly parameters: readonly number[];
  readonly values: Float64Array;
}

function stateAt({ measured, model, expectations }: FitProblem, parameters: readonly number[]): State {
  const values = new Float64Array(measured.length);
  model(parameters, values);
  const residuals = values.map((value, i) => (value - (measured[i] as number)) / deviationOf(value));
  return { parameters, values, residuals, off: expectations(parameters) };
}

/** The change of the misses with each parameter. */
function slopesAt({ model, expectations }: FitProblem, { parameters, values, off }: State): Misses[] {
  return parameters.map((parameter, j) => {
    const width = 1e-4 * Math.max(1, Math.abs(parameter));
    const beside = parameters.map((value, k) => (k === j ? value + width : value));
    const residuals = new Float64Array(values.length);
    model(beside, residuals);
    for (let i = 0; i < residuals.length; i++) {
      const value = values[i] as number;
      residuals[i] = ((residuals[i] as number) - value) / width / deviationOf(value);
    }
    return { residuals, off: expectations(beside).map((one, k) => (one - (off[k] as number)) / width) };
  });
}

/** Tukey's weights: they fall with the size of the residual, to 0 at 4.7 times the usual one. */
function tukey(residuals: Float64Array, weight: number): Float64Array {
  const scale = Math.max(1.4826 * median(residuals.map(Math.abs)), 0.3);
  return residuals.map((residual) => {
    const z = residual / (4.685 * scale);
    return Math.abs(z) < 1 ? weight * (1 - z * z) ** 2 : 0;
  });
}

/**
 * Returns a function that turns misses into the rows of a plain problem of least squares. It subtracts the level of
 * each day, and multiplies by the roots of the weights.
 *
 * Haze, heat and dirt raise or lower a whole day, so its samples share an error. Without this, such days would tilt and
 * turn the roof. The level of a day has the standard deviation of one sample (calibrated on real series). With 0 or 2
 * of them, the tilts of real roofs were further off.
 */
function rowsWith(weights: Float64Array, days: Int32Array): (misses: Misses) => Float64Array {
  const ends = endsOf(days);
  const roots = weights.map(Math.sqrt);
  return ({ residuals, off }) => {
    const rows = new Float64Array(residuals.length + off.length);
    rows.set(off, residuals.length);
    let begin = 0;
    for (const end of ends) {
      let [weight, total] = [0, 0];
      for (let i = begin; i < end; i++) {
        weight += weights[i] as number;
        total += (weights[i] as number) * (residuals[i] as number);
      }
      const level = weight > 0 ? ((1 - 1 / Math.sqrt(1 + weight)) * total) / weight : 0;
      for (let i = begin; i < end; i++) rows[i] = (roots[i] as number) * ((residuals[i] as number) - level);
      begin = end;
    }
    return rows;
  };
}

/** The position behind the last sample of each day. */
function endsOf(days: Int32Array): Int32Array {
  return Int32Array.from(days.keys(), (i) => i + 1).filter((end) => days[end] !== days[end - 1]);
}

/**
 * Covariance of the parameters, with the days as clusters, because the errors of one day are not independent. The
 * result is that of a bootstrap over days, without the draws.
 */
function covarianceOf(slopes: readonly Misses[], state: State, weights: Float64Array, days: Int32Array): number[][] {
  const rowsOf = rowsWith(weights, days);
  const columns = slopes.map(rowsOf);
  const misses = rowsOf(state);
  const ends = endsOf(days);
  const daily = columns.map((column) =>
    Float64Array.from(ends, (end, day) =>
      dot(column.subarray(ends[day - 1] ?? 0, end), misses.subarray(ends[day - 1] ?? 0, end)),
    ),
  );
  const few = ends.length / Math.max(1, ends.length - 1);
  const expected = productsOf(columns.map((column) => column.subarray(days.length)));
  const scatter = productsOf(daily);
  const meat = expected.map((row, j) => row.map((own, k) => own + few * (scatter[j]?.[k] as number)));
  const normal = productsOf(columns);
  const bread = normal.map((_, j) =>
    solveLinear(
      normal,
      normal.map((__, k) => (j === k ? 1 : 0)),
    ),
  );
  const half = bread.map((row) => meat.map((column) => dot(row, column)));
  return half.map((row) => bread.map((column) => dot(row, column)));
}

/** The products of all columns with each other, a symmetric matrix. */
function productsOf(columns: readonly Float64Array[]): number[][] {
  return columns.map((column) => columns.map((other) => dot(column, other)));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i] as number) * (b[i] as number);
  return total;
}

/** Solves matrix·x = right, for a symmetric positive definite matrix (Cholesky). */
export function solveLinear(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const lower = right.map(() => new Float64Array(right.length));
  for (const [j, row] of lower.entries()) {
    for (let k = 0; k <= j; k++) {
      const rest = (matrix[j]?.[k] as number) - dot(row.subarray(0, k), lower[k] as Float64Array);
      row[k] = j === k ? Math.sqrt(Math.max(rest, 1e-12)) : rest / (lower[k]?.[k] as number);
    }
  }
  const forward: number[] = [];
  for (const [j, row] of lower.entries()) {
    forward.push(((right[j] as number) - dot(row.subarray(0, j), forward)) / (row[j] as number));
  }
  const x = right.map(() => 0);
  for (const [j, row] of [...lower.entries()].reverse()) {
    const column = lower.map((other) => other[j] as number);
    x[j] = ((forward[j] as number) - dot(column, x)) / (row[j] as number);
  }
  return x;
}
