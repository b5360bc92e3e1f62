import { sum } from "./numbers";
import type { Panels } from "./plane";
import { onPlane, type Sky, skyAt } from "./sky";

/** The parts of a site that determine its sun. */
export interface SunSite {
  /** In degrees, north positive. */
  readonly latitude: number;
  /** The inverters by name. */
  readonly inverters: Readonly<Record<string, SunInverter>>;
  /** The cars that charge by the forecast; none if the site is not ready. */
  readonly cars: readonly SunCar[];
}

/** A car that charges by the forecast. */
interface SunCar {
  /** In W. */
  readonly chargePower: number;
  /** In Wh: the highest energy that the service plans for the car. */
  readonly capacity: number;
}

/** The panels of one inverter. */
export interface SunInverter extends Panels {
  /** The planes, if these panels replace several. */
  readonly planes?: readonly Panels[];
  readonly baseLoad?: number;
  readonly cutInThreshold?: number;
}

/** The energy of a year of clear days: an upper limit, useful to compare changes. */
export interface SunYear {
  readonly roofKilowattHours: number;
  readonly kilowattHours: number;
}

/** A clear day at a site. */
export interface SunDay {
  /** `2026-03-20`. */
  readonly date: string;
  /** The time of each power, in minutes of mean solar time: at 720 the sun is highest, to within 17 minutes. */
  readonly minutes: readonly number[];
  /** Power of all roofs, in W. */
  readonly roofWatts: readonly number[];
  /**
   * The power that is left for the cars, in W. It is the power of the inverters above their cut-in thresholds, minus
   * the base load, up to the cars' charge power. It is 0 once all cars are full.
   */
  readonly chargeWatts: readonly number[];
  /** Energy of all roofs. */
  readonly roofKilowattHours: number;
  /** Energy that is left for the cars. */
  readonly kilowattHours: number;
  /** The time at which the roofs have the most power: `12:50`, mean solar time. Empty on a day without sun. */
  readonly peakAt: string;
}

/** The sample days: one near each equinox and solstice. */
const SUN_DATES = ["2026-03-20", "2026-06-21", "2026-09-23", "2026-12-21"] as const;

/**
 * The loss between the panels and the cars, as a fraction: the usual sum of soiling, shading, mismatch, wiring and
 * heat. PVWatts and PVGIS use it by default (A. P. Dobos: PVWatts Version 5 Manual, NREL 2014).
 */
export const LOSSES = 0.14;

/** Irradiance at which panels have their peak power, in W/m². */
const STANDARD_IRRADIANCE = 1000;

const MINUTES_OF_DAY = 24 * 60;

/** Minutes between the powers of a day: of a day that is shown, and of a day that only represents its month. */
const [STEP, COARSE_STEP] = [5, 15];

/** The days that represent a year: one near the middle of each month. */
const YEAR_DATES = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, "0")}-15`);

/**
 * Estimates the power at a site on a clear day near each equinox and solstice. The estimate is never sent, and decides
 * nothing: it helps a person to notice, for example, a roof that faces the wrong way. It is not the service's forecast,
 * which knows the weather.
 */
export function sunOf(site: SunSite): SunDay[] {
  return SUN_DATES.map((date) => dayOf(site, date, STEP));
}

/** The energy at a site in a year of clear days. */
export function sunYearOf(site: SunSite): SunYear {
  const days = YEAR_DATES.map((date) => dayOf(site, date, COARSE_STEP));
  const perYear = (energies: readonly number[]) => (365 * sum(energies)) / energies.length;
  return {
    roofKilowattHours: perYear(days.map((day) => day.roofKilowattHours)),
    kilowattHours: perYear(days.map((day) => day.kilowattHours)),
  };
}

function dayOf({ latitude, inverters, cars }: SunSite, date: string, step: number): SunDay {
  const roofs = Object.values(inverters);
  const baseLoad = sum(roofs.map((roof) => roof.baseLoad ?? 0));
  const mostPower = sum(cars.map(({ chargePower }) => chargePower));
  let left = sum(cars.map(({ capacity }) => capacity));
  const roofWatts: number[] = [];
  const chargeWatts: number[] = [];
  for (const sky of skiesOf(latitude, date, step)) {
    const powers = roofs.map((roof) => powerOf(roof, sky));
    const delivered = powers.filter((power, index) => power >= (roofs[index]?.cutInThreshold ?? 0));
    const watts = Math.min(mostPower, Math.max(0, sum(delivered) - baseLoad), (left * 60) / step);
    left = Math.max(0, left - (watts * step) / 60);
    roofWatts.push(sum(powers));
    chargeWatts.push(watts);
  }
  return {
    date,
    minutes: minutesOf(step),
    roofWatts,
    chargeWatts,
    roofKilowattHours: energyOf(roofWatts, step),
    kilowattHours: energyOf(chargeWatts, step),
    peakAt: peakOf(roofWatts, step),
  };
}

function minutesOf(step: number): number[] {
  return Array.from({ length: MINUTES_OF_DAY / step }, (_, index) => index * step);
}

function powerOf({ planes, ...panels }: SunInverter, sky: Sky): number {
  const powers = (planes ?? [panels]).map((plane) => plane.peakPower * onPlane(sky, plane));
  return Math.round((sum(powers) * (1 - LOSSES)) / STANDARD_IRRADIANCE);
}

function energyOf(watts: readonly number[], step: number): number {
  return Math.round((sum(watts) * step) / 60) / 1000;
}

function peakOf(watts: readonly number[], step: number): string {
  const peak = Math.max(...watts);
  return peak > 0 ? timeOf(watts.indexOf(peak) * step) : "";
}

function timeOf(minutes: number): string {
  return new Date(minutes * 60_000).toISOString().slice(11, 16);
}

/**
 * The skies of a day at a latitude. They are cached, because most sites of a fleet have the same latitude, and a site
 * has the same one before and after a change.
 */
function skiesOf(latitude: number, date: string, step: number): readonly Sky[] {
  const key = `${latitude} ${date} ${step}`;
  const known = SKIES.get(key);
  if (known) return known;
  const start = Date.parse(date);
  const skies = minutesOf(step).map((minute) => skyAt(new Date(start + minute * 60_000), latitude));
  if (SKIES.size >= MOST_SKIES) SKIES.clear();
  SKIES.set(key, skies);
  return skies;
}

const SKIES = new Map<string, readonly Sky[]>();

/** Maximum number of days in the cache, about 20 KB each (our choice). */
const MOST_SKIES = 400;
