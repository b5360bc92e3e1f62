import { onPlane, type Sky, skyAt } from "./clearSky";

/** As much of a site as its sun depends on. */
export interface SunSite {
  /** In degrees, north positive. */
  readonly latitude: number;
  /** The inverters by name. */
  readonly inverters: Readonly<Record<string, SunInverter>>;
  /** Charge power of each car that charges by the forecast, in W. */
  readonly chargePowers: readonly number[];
}

/** The panels of one inverter. Angles are in degrees, powers in W. */
export interface SunInverter {
  readonly peakPower: number;
  /** Compass bearing. */
  readonly azimuth: number;
  /** From horizontal. */
  readonly tilt: number;
  readonly baseLoad?: number;
  readonly cutInThreshold?: number;
}

/** A clear day at a site. */
export interface SunDay {
  /** `2026-03-20`. */
  readonly date: string;
  /** When each of the powers holds, in minutes of mean solar time: at 720 the sun is highest, to within 17 minutes. */
  readonly minutes: readonly number[];
  /** Power of all roofs, in W. */
  readonly roofWatts: readonly number[];
  /** What is left of it for the cars, in W: minus the base load, from the cut-in threshold, at most what the cars take. */
  readonly chargeWatts: readonly number[];
  /** Energy of all roofs. */
  readonly roofKilowattHours: number;
  /** Energy that is left for the cars. */
  readonly kilowattHours: number;
  /** When the roofs have the most power: `12:50`, mean solar time. Empty on a day without sun. */
  readonly peakAt: string;
}

/** The days that are looked at: one near each equinox and solstice. */
export const SUN_DATES = ["2026-03-20", "2026-06-21", "2026-09-23", "2026-12-21"] as const;

/**
 * What is lost between the panels and the cars, of 1: the usual sum of soiling, shading, mismatch, wiring and heat, which
 * PVWatts and PVGIS take too if nothing else is given (A. P. Dobos: PVWatts Version 5 Manual, NREL 2014).
 */
export const LOSSES = 0.14;

/** Irradiance at which panels have their peak power, in W/m². */
const STANDARD_IRRADIANCE = 1000;

const MINUTES_OF_DAY = 24 * 60;

/** In minutes. */
const STEP = 5;

const MINUTES = Array.from({ length: MINUTES_OF_DAY / STEP }, (_, index) => index * STEP);

/**
 * An estimate of what solar-aware charging can count on at a site on a clear day near each equinox and solstice. It is
 * there to be looked at, so that a roof that faces the wrong way is seen: it is never sent, and decides nothing. The
 * service's own forecast, which knows the weather, is another.
 */
export function sunOf(site: SunSite): SunDay[] {
  return SUN_DATES.map((date) => dayOf(site, date));
}

function dayOf({ latitude, inverters, chargePowers }: SunSite, date: string): SunDay {
  const skies = skiesOf(latitude, date);
  const roofs = Object.values(inverters);
  const baseLoad = sum(roofs.map((roof) => roof.baseLoad ?? 0));
  const mostForCars = sum(chargePowers);
  const roofWatts: number[] = [];
  const chargeWatts: number[] = [];
  for (const sky of skies) {
    const powers = roofs.map((roof) => powerOf(roof, sky));
    const delivered = powers.filter((power, index) => power >= (roofs[index]?.cutInThreshold ?? 0));
    roofWatts.push(sum(powers));
    chargeWatts.push(Math.min(mostForCars, Math.max(0, sum(delivered) - baseLoad)));
  }
  return {
    date,
    minutes: MINUTES,
    roofWatts,
    chargeWatts,
    roofKilowattHours: energyOf(roofWatts),
    kilowattHours: energyOf(chargeWatts),
    peakAt: peakOf(roofWatts),
  };
}

function powerOf({ peakPower, azimuth, tilt }: SunInverter, sky: Sky): number {
  const power = (peakPower * onPlane(sky, { azimuth, tilt }) * (1 - LOSSES)) / STANDARD_IRRADIANCE;
  return Math.round(power);
}

function energyOf(watts: readonly number[]): number {
  return Math.round((sum(watts) * STEP) / 60) / 1000;
}

function peakOf(watts: readonly number[]): string {
  const peak = Math.max(...watts);
  return peak > 0 ? timeOf(MINUTES[watts.indexOf(peak)] as number) : "";
}

function timeOf(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours, rest].map((part) => String(part).padStart(2, "0")).join(":");
}

/** The skies of a day at a latitude. They are kept: most sites of a fleet, and a site before and after, share theirs. */
function skiesOf(latitude: number, date: string): readonly Sky[] {
  const key = `${latitude} ${date}`;
  const known = SKIES.get(key);
  if (known) return known;
  const start = Date.parse(date);
  const skies = MINUTES.map((minute) => skyAt(new Date(start + minute * 60_000), latitude));
  if (SKIES.size >= MOST_SKIES) SKIES.clear();
  SKIES.set(key, skies);
  return skies;
}

const SKIES = new Map<string, readonly Sky[]>();

/** Days that are kept at most, about 20 KB each (our choice). */
const MOST_SKIES = 400;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
