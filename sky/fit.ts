import { calmSamples, INDEPENDENT } from "./calm";
import { clearSamples } from "./clear";
import { type Coordinates, type Moments, momentsAt, momentsOf } from "./moments";
import { type Conditions, OutputModel } from "./output";
import { ANYTHING, conditionsOf, deviationsOf, FIRST_PLANE, planesOf, priorOf, USUAL_TILT } from "./parameters";
import { type Panels, panelsOf, turn, type Vector, vectorOf } from "./plane";
import type { Series } from "./series";
import { deviationOf, type FitProblem, median, type Solution, solve } from "./solve";

/** The error of the times of a series, as far as it is known. */
export interface Clock {
  /** Minutes by which the times are probably too early. */
  readonly shift: number;
  /** Standard deviation of `shift`, in minutes. */
  readonly deviation: number;
}

/** A series, with all facts that do not depend on the roof. */
export interface Measured {
  readonly series: Series;
  readonly clock: Clock;
  readonly moments: Moments;
  /** In degrees, east positive: decides where a solar day begins. */
  readonly longitude: number;
  /** The local solar day of each sample. */
  readonly days: Int32Array;
  /** The usable samples, clear or not: the sun is high, and no limit cuts the power. */
  readonly usable: Int32Array;
  /** The usable samples of a clear sky, found without a model. */
  readonly clear: Int32Array;
}

/** A roof that was found in a series. */
export interface Fit {
  /** One vector a plane, in the unit of the series. */
  readonly planes: readonly Vector[];
  /** Their shift is added to that of the clock. */
  readonly conditions: Conditions;
  /** The clear samples in which it was found. */
  readonly samples: Int32Array;
  /** The number of clear samples for which each of `samples` stands, because a long series is thinned. */
  readonly every: number;
  readonly solution: Solution;
}

/** Lowest useful height of the sun, in degrees: below it, horizon and shade decide. */
const LOWEST_SUN = 8;

/** Minimum number of clear samples for a fit. */
const FEWEST_SAMPLES = 40;

/** Minimum number of clear samples of a part of a series: its fit only has to show how much the roof scatters. */
const FEWEST_OF_PART = 20;

/** Maximum number of samples of a fit: more would make it slower, not better. */
const MOST_SAMPLES = 2000;

/** Maximum number of samples of a start, and of a fit without some days: only the rough direction counts. */
const MOST_SAMPLES_OF_START = 600;

/**
 * A series that has power at night is not production. It is night if the sun is below `altitude`, in degrees. A sample of
 * the night counts if its power, relative to the strongest one, is above `power`. If more than `share` of the samples of
 * the night count, the series is not production.
 */
const NIGHT = { altitude: -6, power: 0.1, share: 0.3 };

/** Share of the limit from which samples are ignored. */
const NEAR_LIMIT = 0.97;

/** The largest relative deviation of a clear sample from the model, in each round. */
const BANDS = [0.16, 0.13, 0.11, 0.11];

/** All facts about a series that do not depend on the roof; undefined without enough clear sky. */
export function measuredOf(series: Series, place: Coordinates, clock: Clock): Measured | undefined {
  const { times, power, limit = Number.POSITIVE_INFINITY } = series;
  const actual = times.map((time) => time + clock.shift * 60);
  const moments = momentsAt(actual, place);
  if (!isProduction(power, moments)) return undefined;
  const days = Int32Array.from(actual, (time) => Math.floor((time + place.longitude * 240) / 86_400));
  const isClear = clearSamples(series, moments, days);
  const usable = indexes(
    times.length,
    (i) => (moments.altitude[i] as number) > LOWEST_SUN && (power[i] as number) < NEAR_LIMIT * limit,
  );
  const clear = usable.filter((i) => isClear[i]);
  return clear.length < FEWEST_SAMPLES
    ? undefined
    : { series, clock, moments, longitude: place.longitude, days, usable, clear };
}

/**
 * Whether the power of a series is small at night. Without this, a meter that shows 3 W day and night would become a
 * roof that faces away from the sun.
 */
function isProduction(power: Float64Array, { altitude }: Moments): boolean {
  const night = indexes(power.length, (i) => (altitude[i] as number) < NIGHT.altitude);
  const strong = night.filter((i) => (power[i] as number) > NIGHT.power);
  return strong.length <= NIGHT.share * night.length;
}

/** The planes whose output is nearest to the clear samples. */
export function fitPlanes(measured: Measured, count: 1 | 2, most = MOST_SAMPLES): Fit {
  const everywhere = modelAt(measured, measured.usable);
  const some = thinned(measured.clear, MOST_SAMPLES_OF_START).samples;
  const first = fitProblemOf(measured, some, count);
  const [start] = startsOf(measured, some)
    .map((panels) => solve(first, startOf(panels, count), 12))
    .sort((a, b) => startCost(a, measured) - startCost(b, measured)) as [Solution];
  let { samples, every } = thinned(measured.clear, most);
  let solution = solve(fitProblemOf(measured, samples, count), start.parameters, 25);
  for (const band of BANDS) {
    const next = clearWithModel(measured, everywhere, solution.parameters, band);
    if (next.length < FEWEST_OF_PART) break;
    ({ samples, every } = thinned(next, most));
    solution = solve(fitProblemOf(measured, samples, count), solution.parameters, 25);
  }
  const { parameters } = solution;
  return { planes: planesOf(parameters), conditions: conditionsOf(parameters), samples, every, solution };
}

/**
 * The plane of a series without some days; undefined if too little is left. Nothing of the whole fit is kept, so that
 * it can end elsewhere.
 */
export function planeWithout(measured: Measured, leftOut: ReadonlySet<number>): Vector | undefined {
  const isKept = (sample: number) => !leftOut.has(measured.days[sample] as number);
  const { usable, clear } = measured;
  const rest = { ...measured, usable: usable.filter(isKept), clear: clear.filter(isKept) };
  return rest.clear.length < FEWEST_OF_PART
    ? undefined
    : (fitPlanes(rest, 1, MOST_SAMPLES_OF_START).planes[0] as Vector);
}

/** Mean square of the residuals over samples, each at most 4 standard deviations. */
export function misfit(
  measured: Measured,
  { planes, conditions }: Pick<Fit, "planes" | "conditions">,
  samples: Int32Array,
): number {
  const values = new Float64Array(samples.length);
  modelAt(measured, samples).power(planes, conditions, values);
  let total = 0;
  for (const [index, sample] of samples.entries()) {
    const value = values[index] as number;
    const residual = ((measured.series.power[sample] as number) - value) / deviationOf(value);
    total += Math.min(Math.abs(residual), 4) ** 2;
  }
  return total / samples.length;
}

/**
 * Fits the clock and the total peak power of planes with given directions to the clear samples of a fit, because a
 * wrong clock and a wrong azimuth look alike.
 * @param deviation of the clock, in minutes
 * @returns minutes that the times are too early, and the misfit with them
 */
export function fitDirection(
  measured: Measured,
  { samples }: Fit,
  given: readonly Panels[],
  deviation: number,
): { readonly shift: number; readonly misfit: number } {
  const model = modelAt(measured, samples);
  const total = given.reduce((sum, { peakPower }) => sum + peakPower, 0);
  const planes = (parameters: readonly number[]) =>
    given.map((one) => vectorOf({ ...one, peakPower: ((parameters[FIRST_PLANE] as number) * one.peakPower) / total }));
  const problem: FitProblem = {
    ...fitProblemOf(measured, samples, 1),
    model: (parameters, out) => model.power(planes(parameters), conditionsOf(parameters), out),
    prior: [...priorOf(0), 1],
    deviation: [...deviationsOf(deviation), ANYTHING],
    expectations: () => [],
  };
  const starts = deviation < ANY_CLOCK ? [0] : [-45, 0, 45];
  const [best] = starts
    .map((shift) => {
      const { parameters } = solve(problem, [...priorOf(shift), 1], 20);
      const conditions = conditionsOf(parameters);
      return { shift: conditions.shift, misfit: misfit(measured, { planes: planes(parameters), conditions }, samples) };
    })
    .sort((a, b) => a.misfit - b.misfit) as [{ shift: number; misfit: number }];
  return { ...best, shift: best.shift + measured.clock.shift };
}

/** Standard deviation of a clock of which nothing is known but its zone, in minutes. */
export const ANY_CLOCK = 40;

function fitProblemOf(measured: Measured, samples: Int32Array, count: 1 | 2): FitProblem {
  const { series, clock } = measured;
  const model = modelAt(measured, samples);
  const vectors = 3 * count;
  return {
    measured: Float64Array.from(samples, (sample) => series.power[sample] as number),
    model: (parameters, out) => model.power(planesOf(parameters), conditionsOf(parameters), out),
    prior: [...priorOf(0), ...new Array<number>(vectors).fill(0)],
    deviation: [...deviationsOf(clock.deviation), ...new Array<number>(vectors).fill(ANYTHING)],
    expectations: (parameters) =>
      planesOf(parameters).map((plane) => (panelsOf(plane).tilt - USUAL_TILT.value) / USUAL_TILT.deviation),
    weight: Math.min(1, series.step / INDEPENDENT),
    days: Int32Array.from(samples, (sample) => measured.days[sample] as number),
  };
}

function modelAt({ series, moments }: Measured, samples: Int32Array): OutputModel {
  return new OutputModel(momentsOf(moments, samples), series.step);
}

/** The best three of a grid of directions that are far from each other, each with the peak power that fits it. */
function startsOf(measured: Measured, samples: Int32Array): Panels[] {
  const power = Float64Array.from(samples, (sample) => measured.series.power[sample] as number);
  const model = modelAt(measured, samples);
  const values = new Float64Array(samples.length);
  const tried = [10, 30, 50, 75].flatMap((tilt) =>
    Array.from({ length: 12 }, (_, index) => {
      const panels = { azimuth: index * 30, tilt };
      model.power([vectorOf({ ...panels, peakPower: 1 })], conditionsOf(priorOf(0)), values);
      const peakPower = median(power.map((one, i) => one / Math.max(values[i] as number, 0.02)));
      const off = power.reduce(
        (sum, one, i) => sum + Math.min(Math.abs(one - peakPower * (values[i] as number)), 0.15),
        0,
      );
      const cost = off / power.length + 0.004 * ((tilt - USUAL_TILT.value) / 20) ** 2;
      return { cost, panels: { ...panels, peakPower } };
    }),
  );
  const chosen: Panels[] = [];
  for (const { panels } of tried.sort((a, b) => a.cost - b.cost)) {
    if (chosen.length < 3 && chosen.every(({ azimuth }) => Math.abs(turn(azimuth, panels.azimuth)) >= 60))
      chosen.push(panels);
  }
  return chosen;
}

function startOf(panels: Panels, count: 1 | 2): number[] {
  const { azimuth, peakPower } = panels;
  const sides = [-70, 70].map((side) => vectorOf({ azimuth: azimuth + side, tilt: 30, peakPower: peakPower / 2 }));
  return [...priorOf(0), ...(count === 1 ? vectorOf(panels) : sides.flat())];
}

/** The misfit of a start, with outliers: a fit that calls nearly all samples outliers is useless. */
function startCost({ parameters, residuals }: Solution, { series, clock }: Measured): number {
  const weight = Math.min(1, series.step / INDEPENDENT);
  const samples = residuals.reduce((sum, one) => sum + weight * Math.min(Math.abs(one), 4) ** 2, 0);
  const deviations = deviationsOf(clock.deviation);
  const conditions = priorOf(0).reduce(
    (sum, expected, j) => sum + (((parameters[j] as number) - expected) / (deviations[j] as number)) ** 2,
    0,
  );
  const { tilt } = panelsOf(planesOf(parameters)[0] as Vector);
  return samples + conditions + ((tilt - USUAL_TILT.value) / USUAL_TILT.deviation) ** 2;
}

/** The samples that are near the model and calm. This leaves out shade, snow and clouds. */
function clearWithModel(
  { series, usable }: Measured,
  model: OutputModel,
  parameters: readonly number[],
  band: number,
): Int32Array {
  const { limit = Number.POSITIVE_INFINITY } = series;
  const values = new Float64Array(usable.length);
  model.power(planesOf(parameters), conditionsOf(parameters), values);
  return calmSamples(
    series,
    usable,
    values,
    (ratio, i) => Math.abs(ratio - 1) < band && (values[i] as number) < NEAR_LIMIT * limit,
  );
}

function thinned(samples: Int32Array, most: number): Pick<Fit, "samples" | "every"> {
  const every = Math.ceil(samples.length / most);
  return { samples: every <= 1 ? samples : samples.filter((_, index) => index % every === 0), every };
}

function indexes(length: number, is: (index: number) => boolean): Int32Array {
  const found: number[] = [];
  for (let index = 0; index < length; index++) if (is(index)) found.push(index);
  return Int32Array.from(found);
}
