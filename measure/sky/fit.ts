import { calmSamples, INDEPENDENT } from "./calm";
import { clearSamples } from "./clear";
import { type Coordinates, type Moments, momentsAt, momentsOf } from "./moments";
import { mean, median, sum } from "./numbers";
import { type Conditions, OutputModel } from "./output";
import { conditionsOf, conditionsOff, expectedWith, FIRST_PLANE, planesOf, tiltOff } from "./parameters";
import { type Panels, panelsOf, turn, type Vector, vectorOf } from "./plane";
import type { Series } from "./series";
import { deviationOf, type FitProblem, limitedSquare, type Solution, solve } from "./solve";

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
  /** In degrees, east positive. It decides when a solar day begins. */
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
  /** The conditions. Their shift is added to that of the clock. */
  readonly conditions: Conditions;
  /** The samples of a clear sky with these planes. */
  readonly samples: Int32Array;
  /** The covariance of the parameters. */
  readonly covariance: Solution["covariance"];
}

/** Lowest useful height of the sun, in degrees: below it, horizon and shade decide. */
const LOWEST_SUN = 8;

/** Minimum number of clear samples for a fit. */
const FEWEST_SAMPLES = 40;

/** Minimum number of clear samples for a fit to a part of a series. Such a fit only shows the scatter of the roof. */
const FEWEST_OF_PART = 20;

/** Maximum number of samples of a fit: more would make it slower, not better. */
const MOST_SAMPLES = 2000;

/** Maximum number of samples of a fit that is only compared with others: its rough direction is enough. */
export const SOME_SAMPLES = 600;

/**
 * A series with power at night is not production. It is night if the sun is below `altitude`, in degrees. The series is
 * not production if more than `share` of its samples at night are above `power`, relative to the strongest sample.
 */
const NIGHT = { altitude: -6, power: 0.1, share: 0.3 };

/** Samples above this share of the inverter's limit are ignored. */
const NEAR_LIMIT = 0.97;

/** The largest relative deviation of a clear sample from the model, in each round. */
const BANDS = [0.16, 0.13, 0.11, 0.11];

/** All facts about a series that do not depend on the roof. */
export function measuredOf(series: Series, place: Coordinates, clock: Clock): Measured {
  const { times, power, limit = Number.POSITIVE_INFINITY } = series;
  const actual = times.map((time) => time + clock.shift * 60);
  const moments = momentsAt(actual, place);
  const days = Int32Array.from(actual, (time) => Math.floor((time + place.longitude * 240) / 86_400));
  const isClear = clearSamples(series, moments, days);
  const usable = indexes(
    times.length,
    (i) => (moments.altitude[i] as number) > LOWEST_SUN && (power[i] as number) < NEAR_LIMIT * limit,
  );
  const clear = usable.filter((i) => isClear[i]);
  return { series, clock, moments, longitude: place.longitude, days, usable, clear };
}

/** Whether a series has enough clear sky for a fit. */
export function isFittable({ clear }: Measured): boolean {
  return clear.length >= FEWEST_SAMPLES;
}

/**
 * The steps at night, and those of them with little power; undefined if these are enough. Without this, a meter that shows
 * 3 W day and night would become a roof that faces away from the sun.
 */
export function litNight({ series: { power }, moments: { altitude } }: Measured) {
  const night = indexes(power.length, (i) => (altitude[i] as number) < NIGHT.altitude);
  const dark = night.filter((i) => (power[i] as number) <= NIGHT.power);
  const [read, kept] = [night.length, dark.length];
  return read - kept > NIGHT.share * read ? { read, kept } : undefined;
}

/**
 * The planes whose output is nearest to the clear samples.
 * @param most the maximum number of samples in the last round
 */
export function fitPlanes(measured: Measured, count: 1 | 2, most = MOST_SAMPLES): Fit {
  const everywhere = modelAt(measured, measured.usable);
  const some = thinned(measured.clear, SOME_SAMPLES);
  const first = fitProblemOf(measured, some);
  let [solution] = startsOf(measured, some)
    .map((panels) => solve(first, startOf(panels, count), 12))
    .sort((a, b) => a.cost - b.cost) as [Solution];
  let samples = measured.clear;
  for (const [round, band] of BANDS.entries()) {
    const next = clearWithModel(measured, everywhere, solution.parameters, band);
    if (next.length < FEWEST_OF_PART) break;
    samples = next;
    const used = thinned(samples, round < BANDS.length - 1 ? SOME_SAMPLES : most);
    solution = solve(fitProblemOf(measured, used), solution.parameters, 25);
  }
  const { parameters, covariance } = solution;
  return { planes: planesOf(parameters), conditions: conditionsOf(parameters), samples, covariance };
}

/**
 * The plane of a series without some days; undefined if too few samples remain. It starts without the result of the
 * whole series. Otherwise it would find the same plane again.
 */
export function planeWithout(measured: Measured, leftOut: ReadonlySet<number>): Vector | undefined {
  const isKept = (sample: number) => !leftOut.has(measured.days[sample] as number);
  const { usable, clear } = measured;
  const rest = { ...measured, usable: usable.filter(isKept), clear: clear.filter(isKept) };
  return rest.clear.length < FEWEST_OF_PART ? undefined : (fitPlanes(rest, 1, SOME_SAMPLES).planes[0] as Vector);
}

/** The power that planes would have at some samples under a clear sky. */
export function outputAt(
  measured: Measured,
  { planes, conditions }: Pick<Fit, "planes" | "conditions">,
  samples: Int32Array,
): Float64Array {
  const values = new Float64Array(samples.length);
  modelAt(measured, samples).power(planes, conditions, values);
  return values;
}

/** Mean square of the residuals over samples, each at most 4 standard deviations. */
export function misfit(measured: Measured, roof: Pick<Fit, "planes" | "conditions">, samples: Int32Array): number {
  const squares = outputAt(measured, roof, samples).map((value, i) =>
    limitedSquare(((measured.series.power[samples[i] as number] as number) - value) / deviationOf(value)),
  );
  return mean(squares);
}

/** Standard deviation of a clock if only its zone is known, in minutes. */
export const ANY_CLOCK = 40;

/** The largest error of a declared tilt beside a wrong clock, in degrees: a tilt within the limit agrees. */
const MOST_LEAN = 8;

/**
 * Fits the clock and the total peak power of planes with given directions to the clear samples of a fit. A wrong clock
 * and a wrong azimuth look alike. The tilt is free by some degrees: without this, a declared tilt that is wrong by 2°
 * would hide a wrong clock. It has a bound: without that, a low roof would turn around.
 * @param isTurning whether the azimuth is free too, because none is declared
 * @returns the minutes by which the times are too early, and with them, the misfit and the peak power relative to the
 * given one
 */
export function fitClock(
  measured: Measured,
  { samples }: Fit,
  given: readonly Panels[],
  { isTurning }: { readonly isTurning: boolean },
) {
  const some = thinned(samples, SOME_SAMPLES);
  const model = modelAt(measured, some);
  const total = sum(given.map(({ peakPower }) => peakPower));
  const planes = (parameters: readonly number[]) => {
    const [factor = 1, lean = 0, turned = 0] = parameters.slice(FIRST_PLANE);
    return given.map(({ azimuth, tilt, peakPower }) =>
      vectorOf({
        azimuth: azimuth + (180 / Math.PI) * turned,
        tilt: tilt + MOST_LEAN * Math.tanh(lean),
        peakPower: (factor * peakPower) / total,
      }),
    );
  };
  const problem: FitProblem = {
    ...fitProblemOf(measured, some),
    model: (parameters, out) => model.power(planes(parameters), conditionsOf(parameters), out),
    expectations: (parameters) => [...conditionsOff(parameters, ANY_CLOCK), parameters[FIRST_PLANE + 1] as number],
  };
  const roofs = [-120, -45, 0, 45, 120]
    .map((shift) => solve(problem, [...expectedWith(shift), 1, 0, ...(isTurning ? [0] : [])], 20))
    .map(({ parameters }) => {
      const conditions = conditionsOf(parameters);
      return {
        shift: conditions.shift + measured.clock.shift,
        misfit: misfit(measured, { planes: planes(parameters), conditions }, samples),
        factor: ((parameters[FIRST_PLANE] as number) * measured.series.scale) / total,
      };
    });
  return roofs.reduce((best, one) => (one.misfit < best.misfit ? one : best));
}

function fitProblemOf(measured: Measured, samples: Int32Array): FitProblem {
  const { series, clock, days } = measured;
  const model = modelAt(measured, samples);
  return {
    measured: Float64Array.from(samples, (sample) => series.power[sample] as number),
    model: (parameters, out) => model.power(planesOf(parameters), conditionsOf(parameters), out),
    expectations: (parameters) => [
      ...conditionsOff(parameters, clock.deviation),
      ...planesOf(parameters).map((plane) => tiltOff(panelsOf(plane).tilt)),
    ],
    weight: Math.min(1, series.step / INDEPENDENT),
    days: Int32Array.from(samples, (sample) => days[sample] as number),
  };
}

function modelAt({ series, moments }: Measured, samples: Int32Array): OutputModel {
  return new OutputModel(momentsOf(moments, samples), series.step);
}

/** The three best directions of a grid that are far from each other, each with the peak power that fits it. */
function startsOf(measured: Measured, samples: Int32Array): Panels[] {
  const power = Float64Array.from(samples, (sample) => measured.series.power[sample] as number);
  const model = modelAt(measured, samples);
  const values = new Float64Array(samples.length);
  const tried = [10, 30, 50, 75].flatMap((tilt) =>
    Array.from({ length: 12 }, (_, index) => {
      const panels = { azimuth: index * 30, tilt };
      model.power([vectorOf({ ...panels, peakPower: 1 })], conditionsOf(expectedWith(0)), values);
      const peakPower = median(power.map((one, i) => one / Math.max(values[i] as number, 0.02)));
      const off = power.reduce(
        (sum, one, i) => sum + Math.min(Math.abs(one - peakPower * (values[i] as number)), 0.15),
        0,
      );
      const cost = off / power.length + 0.003 * tiltOff(tilt) ** 2;
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
  return [...expectedWith(0), ...(count === 1 ? vectorOf(panels) : sides.flat())];
}

/** The samples that are near the model, and calm. They contain no shade, snow or clouds. */
function clearWithModel(
  { series, usable }: Measured,
  model: OutputModel,
  parameters: readonly number[],
  band: number,
): Int32Array {
  const { limit = Number.POSITIVE_INFINITY } = series;
  const values = new Float64Array(usable.length);
  model.power(planesOf(parameters), conditionsOf(parameters), values);
  const isNear = (ratio: number, i: number) => Math.abs(ratio - 1) < band && (values[i] as number) < NEAR_LIMIT * limit;
  return calmSamples(series, usable, values, isNear).map((i) => usable[i] as number);
}

/** Every nth sample, so that at most so many remain. */
export function thinned(samples: Int32Array, most: number): Int32Array {
  const every = Math.ceil(samples.length / most);
  return every <= 1 ? samples : samples.filter((_, index) => index % every === 0);
}

function indexes(length: number, is: (index: number) => boolean): Int32Array {
  const found: number[] = [];
  for (let index = 0; index < length; index++) if (is(index)) found.push(index);
  return Int32Array.from(found);
}
