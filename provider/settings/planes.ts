import { type Folded, fold } from "../../measure/sky/fold";
import type { Panels } from "../../measure/sky/plane";
import { CARDINAL_NAMES } from "./azimuth";
import { inverter } from "./inverter";
import { isObject, type Properties, pick } from "./objects";
import { type DeviceKind, keysOf, type Value, type Values } from "./setting";
import { quantityText } from "./units";

/** The settings that `planes` replace. A program declares either these or `planes`. */
export const FOLDED = ["peakPower", "azimuth", "tilt"] as const;

/** Maximum number of planes of one inverter (our choice). */
export const MOST_PLANES = 12;

/** The paths of all planes in the inputs or the outputs of a resource. */
export function pathsOfPlanes(value: unknown, path: readonly string[] = []): string[][] {
  if (!isObject(value)) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsOfPlanes(one, [...path, key]));
  return Array.isArray(value.planes) ? [[...path, "planes"], ...inner] : inner;
}

/** The declared planes; undefined if there are none, or if one is not completely known. */
export function planesOf({ planes }: Properties): readonly Panels[] | undefined {
  return Array.isArray(planes) && planes.length > 0 && planes.every(isPlane) ? planes : undefined;
}

function isPlane(plane: unknown): plane is Panels {
  return isObject(plane) && FOLDED.every((key) => Number.isFinite(plane[key]));
}

/**
 * The declared values of a device. `planes` count as the one plane that is sent for them. If a plane or the latitude
 * is unknown or secret, the three settings have its placeholder.
 * @param inputs checked inputs
 * @param latitude of the inverter or of its site; undefined if none is declared
 * @example
 * const planes = [90, 270].map((azimuth) => ({ peakPower: 5000, azimuth, tilt: 30 }));
 * declaredValues(inverter, { planes }, 50); // { peakPower: 9075, azimuth: 180, tilt: 0 }
 */
export function declaredValues(kind: DeviceKind, inputs: Readonly<Record<string, unknown>>, latitude: unknown): Values {
  const values = pick(inputs as Values, keysOf(kind));
  if (inputs.planes === undefined || kind.name !== inverter.name) return values;
  const sign = [inputs.planes, latitude].map(textIn).find((text) => text !== undefined);
  if (sign !== undefined) return { ...values, ...Object.fromEntries(FOLDED.map((key) => [key, sign])) };
  const planes = planesOf(inputs);
  return planes ? { ...values, ...pick<Value>({ ...foldOf(planes, latitude) }, FOLDED) } : values;
}

/** A placeholder: a text in place of a number. */
function textIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null
    ? Object.values(value)
        .map(textIn)
        .find((text) => text !== undefined)
    : undefined;
}

const folds = new Map<string, Folded>();

/** Maximum number of cached folds (our choice). An update needs each fold several times, and one takes 10 ms. */
const MOST_FOLDS = 10_000;

/** The one plane that is sent for several. A single plane stays unchanged. */
export function foldOf(planes: readonly Panels[], latitude: unknown): Folded {
  const [only, ...others] = planes;
  if (only && others.length === 0) return pick<number>({ ...only }, FOLDED) as unknown as Panels;
  const place = typeof latitude === "number" ? latitude : undefined;
  const key = JSON.stringify([place, planes.map((plane) => FOLDED.map((setting) => plane[setting]))]);
  const known = folds.get(key);
  if (known) return known;
  if (folds.size >= MOST_FOLDS) folds.clear();
  const folded = fold(planes, place);
  folds.set(key, folded);
  return folded;
}

/** The effect of several planes as one, in words and as data. */
interface FoldWords {
  readonly finding: string;
  readonly advice?: string;
  readonly numbers: Readonly<Record<string, number>>;
  /** Whether so much energy comes at another time that two inverters should be declared. */
  readonly isCoarse: boolean;
}

/** Describes the plane that is sent for several, and the losses; undefined for one plane. */
export function foldWords(planes: readonly Panels[], latitude: unknown): FoldWords | undefined {
  if (planes.length < 2) return undefined;
  const folded = foldOf(planes, latitude);
  const { peakPower, azimuth, tilt, yearLoss, shapeLoss } = folded;
  const as = `${planesText(planes)} are sent as one plane (peakPower ${quantityText("W", peakPower)}, azimuth ${azimuth}°, tilt ${tilt}°)`;
  const numbers = { ...folded };
  if (yearLoss === undefined || shapeLoss === undefined) {
    const advice =
      "Declare the latitude: the provider then finds the plane that fits best, which is about twice as exact";
    return { finding: `${as}, the vector sum of the planes`, advice, numbers, isCoarse: false };
  }
  const finding = `${as}. In a year of clear days, this changes the energy by ${lossText(yearLoss)}, and moves ${percent(shapeLoss)} of it to another time`;
  const isCoarse = shapeLoss > MOST_SHAPE_LOSS;
  return { finding, numbers, isCoarse, ...(isCoarse && { advice: TWO_INVERTERS }) };
}

/** If the shape loss is above this, two inverters should be declared. */
const MOST_SHAPE_LOSS = 0.05;

const TWO_INVERTERS = "Declare two inverters, if the service has them: each plane then gets its own forecast";

/** `5 kW E 30° + 5 kW W 30°` */
export function planesText(planes: readonly Panels[]): string {
  return planes
    .map(
      ({ peakPower, azimuth, tilt }) =>
        `${peakPower / 1000} kW ${tilt > 0 ? `${bearingText(azimuth)} ${tilt}°` : "level"}`,
    )
    .join(" + ");
}

function bearingText(azimuth: number): string {
  return CARDINAL_NAMES[(azimuth % 360) / 22.5] ?? `${azimuth}°`;
}

/** The loss as a change: `−3 %`. */
export function lossText(loss: number): string {
  const sign = Math.round(loss * 100) > 0 ? "−" : Math.round(loss * 100) < 0 ? "+" : "";
  return `${sign}${percent(Math.abs(loss))}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
