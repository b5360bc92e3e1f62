import { type ClockJump, withOneClock } from "./clockJump";
import {
  type Clock,
  type Fit,
  fitPlanes,
  isFittable,
  litNight,
  type Measured,
  measuredOf,
  misfit,
  planeWithout,
  SOME_SAMPLES,
  thinned,
} from "./fit";
import { type Coordinates, momentsOf, shifted } from "./moments";
import { type Estimate, grouped, sum } from "./numbers";
import { FIRST_PLANE } from "./parameters";
import { type Panels, panelsOf, turn, type Vector } from "./plane";
import type { Series } from "./series";
import { changeOf, evened, type Step } from "./trend";

/** The reasons why a series shows no roof. */
export type RoofNotEnough = "noPower" | "powerAtNight" | "fewClearDays" | "roofVaries" | "hourAboveRoof";

/** The lack of a roof. */
interface NoRoof extends Sky {
  readonly kind: "notEnough";
  readonly reason: RoofNotEnough;
  /** What the reason counts in the series, and what of it can be used: days; of `powerAtNight`, steps at night. */
  readonly read: number;
  readonly kept: number;
}

/** The facts about a series that do not depend on a roof. */
interface Sky {
  readonly clearDays: number;
  /** Changes of the series' clock that were corrected. */
  readonly jumps?: readonly ClockJump[];
}

/** A fit to the clear samples of a series. */
interface Fitted extends Sky {
  readonly fit: Fit;
  /** The series. If the power of the roof has changed, the earlier part is scaled to the later power. */
  readonly measured: Measured;
}

interface OnePlane extends Fitted {
  readonly kind: "onePlane";
  /** The deviation of the peak power is that of its logarithm, which is about a share of the value. */
  readonly peakPower: Estimate;
  readonly azimuth: Estimate;
  readonly tilt: Estimate;
  /** The covariances of the three values: in winter, a steeper roof looks like a stronger one. */
  readonly covariances: Covariances;
  readonly change?: Step;
}

interface SeveralPlanes extends Fitted {
  readonly kind: "severalPlanes";
  readonly planes: readonly Panels[];
}

/** The roof according to a series. */
export type Findings = NoRoof | OnePlane | SeveralPlanes;

/** Minimum number of days with 3 hours of clear sky for a result of one plane, and of two. */
const FEWEST_DAYS = 7;
const FEWEST_DAYS_OF_TWO = 10;
const HOURS_OF_CLEAR_DAY = 3;

/** Two planes count as the better explanation from this ratio of misfits on. */
const TWO_PLANES = 1.5;

/**
 * Smallest share of the clear samples that only two planes explain. Without this, a plain roof would count as two if
 * the clouds of some days look like a second plane: the other samples fit one plane equally well.
 */
const ONLY_TWO = 0.07;

/**
 * Smallest share of the peak power for a plane of its own. A wrong clock, or an output that the inverter's limit cuts,
 * looks like a second plane of 5 to 8 %, and without this it would hide that the main plane faces another way. Real
 * second planes have 25 % and more in our tests.
 */
const LEAST_OF_TWO = 0.1;

/**
 * Factors of the standard deviations of the peak power, the azimuth and the tilt; and terms that are added for effects
 * outside of the model. They hold for each real site alone: a larger factor of the tilt would hide wrong tilts.
 */
const FACTORS = [1.2, 1.2, 0.8];
const UNKNOWN = { azimuth: 1.3, tilt: 2.5, peakPower: 0.08 };

/**
 * The number of consecutive groups of days that are left out, one after the other; and the weight of the scatter of the
 * roofs without them. Each such fit has fewer days than the whole one, so the scatter alone is too large (calibrated on
 * real series, one site left out each time).
 */
const LEFT_OUT = { groups: 3, weight: 0.5 };

/** If the ± of the tilt is larger than this, in degrees, the roof counts as not found. */
const MOST_UNCERTAIN_TILT = 45;

/**
 * A wrong clock turns the roof by so many degrees for each minute. Daylight does not show the error of a clock more
 * exactly than by so many minutes. Without this limit, hourly series with an unknown label gave roofs that were off by
 * 20° with half that ±.
 */
const CLOCK = { degrees: 0.6, minutes: 16 };

/**
 * A clock that is off by hours shows power in the dark, when the sun is below `altitude`, in degrees. The clock is
 * wrong if more than `share` of the energy is in the dark, and another clock leaves less than a tenth of that.
 */
const DARK = { altitude: -4, share: 0.003, samples: 4000, hours: 12 };

/** @throws Error if there is power in the dark, and a clock that differs by 2 hours or more explains it */
function checkHours({ series: { power }, moments }: Measured): void {
  const some = thinned(Int32Array.from(power.keys()), DARK.samples);
  const [energy, few] = [Float64Array.from(some, (i) => power[i] as number), momentsOf(moments, some)];
  const darkAt = (hours: number) => {
    const { altitude } = shifted(few, 60 * hours);
    return sum(energy.filter((_, i) => (altitude[i] as number) < DARK.altitude)) / sum(energy);
  };
  const share = darkAt(0);
  if (!(share > DARK.share)) return;
  const hours = Array.from({ length: 2 * DARK.hours + 1 }, (_, i) => i - DARK.hours);
  const fitting = hours.filter((one) => darkAt(one) < 0.1 * share);
  // In winter, several clocks leave no power in the dark: the middle one counts.
  const best = fitting[Math.floor(fitting.length / 2)];
  if (best === undefined || Math.abs(best) < 2) return;
  const way = best > 0 ? "later" : "earlier";
  throw new Error(
    `${(100 * share).toFixed(1)} % of the energy comes while the sun is below the horizon, and hardly any would if the times were ${Math.abs(best)} hours ${way}: the clock of the file, --time-zone or --longitude is wrong, or it is not production: give another --column`,
  );
}

/**
 * Finds the roof in a series.
 * @param series absent if hardly any step has power
 * @throws Error if the clock of the series is off by hours
 */
export function findingsOf(series: Series | undefined, place: Coordinates, clock: Clock): Findings {
  if (!series) return { kind: "notEnough", reason: "noPower", clearDays: 0, read: 0, kept: 0 };
  const recorded = measuredOf(series, place, clock);
  checkHours(recorded);
  const night = litNight(recorded);
  if (night) return { kind: "notEnough", reason: "powerAtNight", clearDays: 0, ...night };
  if (!isFittable(recorded)) return withoutRoof(recorded, clearDaysOf(recorded, recorded.clear));
  const { measured: even, jumps } = withOneClock(recorded, place);
  const found = foundIn(even, place);
  if (jumps.length === 0) return found;
  if (found.kind !== "onePlane") return { ...found, jumps };
  // The clock after the jump may be the right one.
  const deviation = Math.hypot(found.azimuth.deviation, CLOCK.degrees * CLOCK.minutes);
  return { ...found, jumps, azimuth: { ...found.azimuth, deviation } };
}

function withoutRoof({ days }: Measured, kept: number, reason: RoofNotEnough = "fewClearDays"): NoRoof {
  return { kind: "notEnough", reason, clearDays: kept, read: new Set(days).size, kept };
}

function foundIn(recorded: Measured, place: Coordinates): Findings {
  const whole = fitPlanes(recorded, 1);
  const change = changeOf(recorded, whole);
  // A dead string would look like a second plane, or turn the roof.
  const even = change && measuredOf(evened(recorded, change), place, recorded.clock);
  const measured = even && isFittable(even) ? even : recorded;
  const [one, two] = [measured === recorded ? whole : fitPlanes(measured, 1), fitPlanes(measured, 2, SOME_SAMPLES)];
  const both = Int32Array.from(new Set([...one.samples, ...two.samples])).sort();
  const peaks = two.planes.map((plane) => panelsOf(plane).peakPower);
  const isTwo =
    Math.min(...peaks) >= LEAST_OF_TWO * sum(peaks) &&
    both.length - one.samples.length >= ONLY_TWO * both.length &&
    misfit(measured, one, both) >= TWO_PLANES * misfit(measured, two, both);
  const fit = isTwo ? two : one;
  const clearDays = clearDaysOf(measured, fit.samples);
  if (clearDays < (isTwo ? FEWEST_DAYS_OF_TWO : FEWEST_DAYS)) return withoutRoof(measured, clearDays);
  const { scale } = measured.series;
  if (isTwo) {
    const planes = fit.planes.map(panelsOf).map((plane) => ({ ...plane, peakPower: plane.peakPower * scale }));
    return { kind: "severalPlanes", clearDays, planes, fit, measured };
  }
  const scatter = scatterOf(measured, fit);
  const estimates = scatter && estimatesOf(measured, fit, scatter);
  if (!estimates || 2 * estimates.tilt.deviation > MOST_UNCERTAIN_TILT)
    return withoutRoof(measured, clearDays, "roofVaries");
  // Such a roof has grown, or the clear days are not those that they seem to be. On real roofs, the ratio is at most 0.95.
  // Around a change, an hour can be of the other side.
  if (!change && bestHourOf(measured.series) > estimates.peakPower.value)
    return withoutRoof(measured, clearDays, "hourAboveRoof");
  return { kind: "onePlane", clearDays, ...estimates, fit, measured, ...(change && { change }) };
}

/** The highest mean of an hour, in W. */
function bestHourOf({ times, power, scale, step }: Series): number {
  const count = Math.ceil(60 / step);
  let best = 0;
  for (let i = count - 1; i < power.length; i++) {
    const own = power.subarray(i - count + 1, i + 1);
    if ((times[i] as number) - (times[i - count + 1] as number) < count * step * 60)
      best = Math.max(best, sum(own) / count);
  }
  return best * scale;
}

/** Places in `Covariances`. */
export const [PEAK, AZIMUTH, TILT] = [0, 1, 2] as const;

/** Covariances of the logarithm of the peak power, the azimuth and the tilt, in this order. */
type Covariances = readonly (readonly number[])[];

/**
 * The scatter of the roofs that are found without a part of the days; undefined if a part is too short. Without this, a
 * fit to wrong samples would look certain: hourly series of autumn gave roofs that were off by 70 to 180°.
 */
function scatterOf(measured: Measured, fit: Fit): Covariances | undefined {
  const whole = fit.planes[0] as Vector;
  const clearDays = [...new Set(Array.from(measured.clear, (sample) => measured.days[sample] as number))];
  const changes: number[][] = [];
  for (let group = 0; group < LEFT_OUT.groups; group++) {
    const [from, to] = [group, group + 1].map((edge) => Math.round((edge * clearDays.length) / LEFT_OUT.groups));
    const plane = planeWithout(measured, new Set(clearDays.slice(from, to)));
    if (!plane) return undefined;
    changes.push(changeOfPlane(whole, plane));
  }
  const share = (LEFT_OUT.groups - 1) / LEFT_OUT.groups;
  return covariancesOf((j, k) => {
    const products = changes.map((change) => (change[j] as number) * (change[k] as number));
    return LEFT_OUT.weight ** 2 * share * sum(products);
  });
}

/** The changes from one plane to another: of the logarithm of the peak power, of the azimuth and of the tilt. */
function changeOfPlane(from: Vector, to: Vector): number[] {
  const [one, other] = [panelsOf(from), panelsOf(to)];
  return [Math.log(other.peakPower / one.peakPower), turn(one.azimuth, other.azimuth), other.tilt - one.tilt];
}

function covariancesOf(of: (j: number, k: number) => number): Covariances {
  return [0, 1, 2].map((j) => [0, 1, 2].map((k) => of(j, k)));
}

/** The number of clear days among samples. */
function clearDaysOf({ series, days }: Measured, samples: Int32Array): number {
  const perDay = [...grouped(samples, (sample) => days[sample]).values()];
  return perDay.filter(({ length }) => length * series.step >= HOURS_OF_CLEAR_DAY * 60).length;
}

/**
 * The roof of a fit, with standard deviations. These come from the differences between days, because the errors of one
 * day are not independent, and from the scatter of the roofs without a part of the days.
 */
function estimatesOf(measured: Measured, { planes, covariance }: Fit, scatter: Covariances) {
  const [vector] = planes as [Vector];
  const { azimuth, tilt, peakPower } = panelsOf(vector);
  const all = covariance();
  const slopes = vector.map((_, index) => {
    const beside = vector.map((one, j) => one + (j === index ? 1e-5 : 0)) as unknown as Vector;
    return changeOfPlane(vector, beside).map((change) => change / 1e-5);
  });
  const lean = UNKNOWN.azimuth / Math.max(Math.sin((tilt * Math.PI) / 180), 0.01);
  const clock = CLOCK.degrees * Math.min(measured.clock.deviation, CLOCK.minutes);
  const outside = [UNKNOWN.peakPower, Math.hypot(lean, clock), UNKNOWN.tilt];
  const covariances = covariancesOf((j, k) => {
    const products = slopes.flatMap((row, a) =>
      slopes.map(
        (column, b) => (row[j] as number) * (all[FIRST_PLANE + a]?.[FIRST_PLANE + b] as number) * (column[k] as number),
      ),
    );
    const inside = (FACTORS[j] as number) * (FACTORS[k] as number) * (sum(products) + (scatter[j]?.[k] as number));
    return j === k ? inside + (outside[j] as number) ** 2 : inside;
  });
  const deviation = (index: number) => Math.sqrt(covariances[index]?.[index] as number);
  return {
    peakPower: { value: peakPower * measured.series.scale, deviation: deviation(PEAK) },
    azimuth: { value: azimuth, deviation: deviation(AZIMUTH) },
    tilt: { value: tilt, deviation: deviation(TILT) },
    covariances,
  };
}
