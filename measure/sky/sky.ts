import { getPosition } from "suncalc";
import type { Panels } from "./plane";

/** The sun under a clear sky at one moment, seen from sea level. */
export interface Sky {
  /** Height of the sun above the horizon, in degrees. */
  readonly altitude: number;
  /** Compass bearing of the sun, in degrees. */
  readonly bearing: number;
  /** Irradiance outside the atmosphere, across the beam, in W/m². */
  readonly extraterrestrial: number;
  /** Direct irradiance across the beam, in W/m². */
  readonly direct: number;
  /** Diffuse irradiance on a level plane, in W/m². */
  readonly diffuse: number;
  /** Direct and diffuse irradiance on a level plane, in W/m². */
  readonly global: number;
}

/**
 * Haze and water vapour of a clear day: Linke's turbidity, about 2 in clear cold air and 5 in a hazy summer (our
 * choice).
 */
const TURBIDITY = 3;

/** The share of light that the ground reflects: 0.2 stands for grass and streets (our choice). */
export const ALBEDO = 0.2;

/** In W/m². */
const SOLAR_CONSTANT = 1366.1;

/**
 * Lowest height of the sun, in degrees, for the ratio of a plane's direct light to a level plane's (pvlib's choice).
 * Without this limit, the ratio would grow beyond all bounds at the horizon.
 */
export const LOWEST_ALTITUDE = 1;

/** The sky at a moment, from the sun's position (suncalc) and the clear-sky model. */
export function skyAt(date: Date, latitude: number): Sky {
  // Clear days on two meridians differ only in the hour: longitude 0 makes UTC the mean solar time.
  const { altitude, azimuth: bearing } = getPosition(date, latitude, 0);
  const extraterrestrial = extraterrestrialOn(date);
  if (altitude <= 0) return { altitude, bearing, extraterrestrial, direct: 0, diffuse: 0, global: 0 };
  return { altitude, bearing, extraterrestrial, ...clearSky(altitude, extraterrestrial) };
}

/**
 * Irradiance outside the atmosphere on a day, in W/m². It depends on the Earth's distance from the sun.
 *
 * J. W. Spencer: Fourier series representation of the position of the sun. Search 2 (1971), page 172.
 */
export function extraterrestrialOn(date: Date): number {
  const start = Date.UTC(date.getUTCFullYear(), 0, 1);
  const angle = (2 * Math.PI * Math.floor((date.getTime() - start) / 86_400_000)) / 365;
  const distance =
    1.00011 +
    0.034221 * Math.cos(angle) +
    0.00128 * Math.sin(angle) +
    0.000719 * Math.cos(2 * angle) +
    0.000077 * Math.sin(2 * angle);
  return SOLAR_CONSTANT * distance;
}

/**
 * Irradiance under a clear sky at sea level.
 *
 * P. Ineichen, R. Perez: A new airmass independent formulation for the Linke turbidity coefficient. Solar Energy 73
 * (2002), pages 151–157; with its limit of the direct share for low turbidity.
 */
function clearSky(altitude: number, extraterrestrial: number): Pick<Sky, "direct" | "diffuse" | "global"> {
  const height = sin(altitude);
  const airMass = airMassAt(altitude, height);
  const global = globalOf(extraterrestrial, height, airMass, TURBIDITY);
  const direct = directOf(beamOf(extraterrestrial, airMass, TURBIDITY), height, TURBIDITY, global);
  return { global, direct, diffuse: global - direct * height };
}

/** Irradiance on a level plane, in W/m². @param height sine of the sun's altitude */
export function globalOf(extraterrestrial: number, height: number, airMass: number, turbidity: number): number {
  return 0.868 * extraterrestrial * height * Math.exp(-0.0387 * airMass * turbidity);
}

/** Direct irradiance across the beam, in W/m², without the limit for low turbidity. */
export function beamOf(extraterrestrial: number, airMass: number, turbidity: number): number {
  return 0.827 * extraterrestrial * Math.exp(-0.09 * airMass * (turbidity - 1));
}

/** Direct irradiance across the beam, in W/m². */
export function directOf(beam: number, height: number, turbidity: number, global: number): number {
  const most = (global / height) * (1 - (0.1 - 0.2 * Math.exp(-turbidity)) / (0.1 + 0.882));
  return Math.min(beam, most);
}

/**
 * The air mass: the air that the light passes, relative to the zenith.
 *
 * F. Kasten, A. T. Young: Revised optical air mass tables and approximation formula. Applied Optics 28 (1989), pages
 * 4735–4738.
 */
export function airMassAt(altitude: number, height: number): number {
  return 1 / (height + 0.50572 * (altitude + 6.07995) ** -1.6364);
}

/**
 * Irradiance on a plane of panels, in W/m²: the direct light, the diffuse light, of which a part comes from around the
 * sun, and the light that the ground reflects.
 *
 * J. E. Hay, J. A. Davies: Calculations of the solar radiation incident on an inclined surface. Proceedings of the
 * First Canadian Solar Radiation Data Workshop (1980), pages 59–72.
 */
export function onPlane(
  { altitude, bearing, direct, diffuse, global, extraterrestrial }: Sky,
  { azimuth, tilt }: Pick<Panels, "azimuth" | "tilt">,
): number {
  const cosine = sin(altitude) * cos(tilt) + cos(altitude) * sin(tilt) * cos(bearing - azimuth);
  const incidence = Math.max(0, cosine);
  const aroundSun = direct / extraterrestrial;
  const towardsSun = incidence / Math.max(sin(altitude), sin(LOWEST_ALTITUDE));
  const sky = diffuse * (aroundSun * towardsSun + ((1 - aroundSun) * (1 + cos(tilt))) / 2);
  const ground = (global * ALBEDO * (1 - cos(tilt))) / 2;
  return direct * incidence + sky + ground;
}

function sin(degrees: number): number {
  return Math.sin((degrees * Math.PI) / 180);
}

function cos(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}
