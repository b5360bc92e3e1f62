import { LOSSES } from "./days";
import { sum } from "./numbers";
import { type Panels, panelsOf, type Vector, vectorOf } from "./plane";
import { onPlane, type Sky, skyAt } from "./sky";
import { solveLinear } from "./solve";

/** The losses if one plane replaces several. */
export interface Losses {
  /**
   * The share of the energy of a clear year that the one plane misses; negative if it has more. Absent without a
   * latitude.
   */
  readonly yearLoss?: number;
  /** The share of a clear year's energy that the one plane delivers at another time. Absent without a latitude. */
  readonly shapeLoss?: number;
}

/** Several planes on one inverter as one, in whole W and degrees. */
export interface Folded extends Panels, Losses {}

/** Days between two sample days of a year, and minutes between two moments of a day. */
const [DAYS_APART, STEP] = [9, 15];

/**
 * The one plane that fits several best on the clear days of a year. The search starts at their vector sum, which is
 * exact for direct light while the sun is in front of all of them. The same planes give the same whole numbers in every
 * version.
 * @param latitude in degrees; without it, the result is the vector sum
 */
export function fold(planes: readonly Panels[], latitude: number | undefined): Folded {
  const vectors = sumOf(planes.map(vectorOf));
  if (latitude === undefined) return whole(panelsOf(vectors), 180);
  const start = isNothing(vectors, planes)
    ? ([0, 0, sum(planes.map(({ peakPower }) => peakPower)) / 2] as const)
    : vectors;
  const towardsEquator = latitude < 0 ? 0 : 180;
  const skies = yearOf(latitude);
  const target = outputOf(planes, skies);
  const folded = whole(panelsOf(nearest(start, target, skies)), towardsEquator);
  return { ...folded, ...lossesIn(target, outputOf([folded], skies)) };
}

/** What is lost if `own` replaces `target`, both in W at the same moments. */
function lossesIn(target: readonly number[], own: readonly number[]): Losses {
  const energy = sum(target);
  if (energy === 0) return {};
  return {
    yearLoss: rounded(1 - sum(own) / energy),
    shapeLoss: rounded(sum(target.map((watts, i) => Math.abs(watts - (own[i] as number)))) / 2 / energy),
  };
}

/**
 * Whether vectors nearly cancel each other, as those of facades on opposite sides do. Their sum is then no start for a
 * fit.
 */
function isNothing(vectors: Vector, planes: readonly Panels[]): boolean {
  return Math.hypot(...vectors) < 0.01 * sum(planes.map(({ peakPower }) => peakPower));
}

/**
 * Finds the nearest plane by the method of Gauss and Newton. Derivatives are differences. It ends with the first step
 * that makes the fit no better.
 */
function nearest(start: Vector, target: readonly number[], skies: readonly Sky[]): Vector {
  const size = Math.max(...start.map(Math.abs), 1);
  const misfit = (own: readonly number[]) => sum(own.map((watts, i) => (watts - (target[i] as number)) ** 2));
  const output = (vector: Vector) => outputOf([panelsOf(vector)], skies);
  let vector = start;
  let own = output(vector);
  for (let round = 0; round < 30; round++) {
    const slopes = [0, 1, 2].map((index) => {
      const beside = output(
        moved(
          vector,
          [0, 1, 2].map((j) => (j === index ? 1e-4 * size : 0)),
        ),
      );
      return beside.map((watts, i) => (watts - (own[i] as number)) / (1e-4 * size));
    });
    const matrix = slopes.map((row) => slopes.map((column) => sum(row.map((one, i) => one * (column[i] as number)))));
    const right = slopes.map((row) => sum(row.map((one, i) => one * ((target[i] as number) - (own[i] as number)))));
    const next = moved(vector, solveLinear(matrix, right));
    const values = output(next);
    if (misfit(values) >= misfit(own)) break;
    [vector, own] = [next, values];
  }
  return vector;
}

/** The skies of a year's clear days, without the hours of darkness. */
function yearOf(latitude: number): Sky[] {
  const skies: Sky[] = [];
  const begin = Date.UTC(2026, 0, 1);
  for (let day = 0; day < 365; day += DAYS_APART) {
    for (let minute = 0; minute < 1440; minute += STEP) {
      const sky = skyAt(new Date(begin + (day * 1440 + minute) * 60_000), latitude);
      if (sky.global > 0) skies.push(sky);
    }
  }
  return skies;
}

/** The power of planes under these skies, in watts. */
function outputOf(planes: readonly Panels[], skies: readonly Sky[]): number[] {
  return skies.map((sky) => sum(planes.map((plane) => (plane.peakPower * onPlane(sky, plane) * (1 - LOSSES)) / 1000)));
}

/**
 * Up to this tilt, in degrees, a roof counts as level. Its azimuth means nothing, and is set to the direction of the
 * equator.
 */
const LEVEL = 1;

function whole({ peakPower, azimuth, tilt }: Panels, towardsEquator: number): Panels {
  const isLevel = Math.round(tilt) <= LEVEL;
  return {
    peakPower: Math.round(peakPower),
    azimuth: isLevel ? towardsEquator : Math.round(azimuth) % 360,
    tilt: isLevel ? 0 : Math.min(90, Math.round(tilt)),
  };
}

function sumOf(vectors: readonly Vector[]): Vector {
  return vectors.reduce((sum, vector) => moved(sum, vector), [0, 0, 0]);
}

function moved([a, b, c]: Vector, by: readonly number[]): Vector {
  const [x = 0, y = 0, z = 0] = by;
  return [a + x, b + y, c + z];
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
