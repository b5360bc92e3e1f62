import { getPosition } from "suncalc";
import { airMassAt, extraterrestrialOn } from "./sky";

const RADIANS = Math.PI / 180;

/** A place on Earth, in degrees; north and east positive. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** The day of a moment: `2025-06-01`. @param at unix seconds */
export function dayOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 10);
}

const ARRAYS = [
  // Direction to the sun, of length 1. `up` is the sine of its altitude.
  ...(["east", "north", "up"] as const),
  // In degrees.
  "altitude",
  "airMass",
  // Irradiance outside the atmosphere, in W/m².
  "extraterrestrial",
  // 1 in midsummer, -1 in midwinter.
  "season",
  // Mean temperature of the air on that day, in °C, from latitude and season.
  "air",
  // 1 at 15 o'clock solar time, when the air is warmest.
  "afternoon",
] as const;

/**
 * The facts about some moments that do not depend on a roof: the positions of the sun, and the air that its light
 * passes.
 */
export interface Moments extends Readonly<Record<(typeof ARRAYS)[number], Float64Array>> {
  /** Latitude, in degrees. */
  readonly latitude: number;
}

const DAY = 86_400_000;

/** @param times unix time in seconds */
export function momentsAt(times: Float64Array, { latitude, longitude }: Coordinates): Moments {
  const moments = emptyMoments(times.length, latitude);
  const { season, air, extraterrestrial, east, north, up } = moments;
  for (let i = 0; i < times.length; i++) {
    const date = new Date((times[i] as number) * 1000);
    const { altitude, azimuth } = getPosition(date, latitude, longitude);
    const level = Math.cos(altitude * RADIANS);
    east[i] = level * Math.sin(azimuth * RADIANS);
    north[i] = level * Math.cos(azimuth * RADIANS);
    up[i] = Math.sin(altitude * RADIANS);
    extraterrestrial[i] = extraterrestrialOn(date);
    const day = (date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY;
    const summer = Math.cos((2 * Math.PI * (day - 196)) / 365) * Math.sign(latitude);
    season[i] = summer;
    air[i] = 27 - 0.006 * latitude ** 2 + 0.22 * Math.abs(latitude) * summer;
  }
  return shifted(moments, 0);
}

/** The moments with these indexes. */
export function momentsOf(moments: Moments, which: Int32Array): Moments {
  const some = emptyMoments(which.length, moments.latitude);
  for (const key of ARRAYS) {
    const [from, to] = [moments[key], some[key]];
    for (let i = 0; i < which.length; i++) to[i] = from[which[i] as number] as number;
  }
  return some;
}

/**
 * The same moments some minutes later. The sun turns around the pole by a degree in 4 minutes, so no position has to be
 * calculated again: a fit shifts thousands of moments hundreds of times.
 */
export function shifted(moments: Moments, minutes: number): Moments {
  const { latitude, east, north, up } = moments;
  const later = {
    ...{ ...moments, east: up.slice(), north: up.slice(), up: up.slice() },
    ...{ altitude: up.slice(), airMass: up.slice(), afternoon: up.slice() },
  };
  const [sinPole, cosPole] = [Math.sin(latitude * RADIANS), Math.cos(latitude * RADIANS)];
  const [sinTurn, cosTurn] = [Math.sin((minutes * RADIANS) / 4), Math.cos((minutes * RADIANS) / 4)];
  for (let i = 0; i < up.length; i++) {
    // Coordinates: along the axis of the Earth, towards the meridian, and west. A turn around the axis changes only the
    // last two.
    const axis = sinPole * (up[i] as number) + cosPole * (north[i] as number);
    const meridian = cosPole * (up[i] as number) - sinPole * (north[i] as number);
    const south = meridian * cosTurn + (east[i] as number) * sinTurn;
    const west = meridian * sinTurn - (east[i] as number) * cosTurn;
    const height = sinPole * axis + cosPole * south;
    const altitude = Math.asin(Math.max(-1, Math.min(1, height))) / RADIANS;
    later.east[i] = -west;
    later.north[i] = cosPole * axis - sinPole * south;
    later.up[i] = height;
    later.altitude[i] = altitude;
    later.airMass[i] = altitude > 0 ? airMassAt(altitude, height) : 40;
    later.afternoon[i] = (south + west) / Math.SQRT2 / Math.max(Math.hypot(south, west), 1e-6);
  }
  return later;
}

function emptyMoments(count: number, latitude: number): Moments {
  const arrays = Object.fromEntries(ARRAYS.map((key) => [key, new Float64Array(count)]));
  return { ...arrays, latitude } as unknown as Moments;
}
