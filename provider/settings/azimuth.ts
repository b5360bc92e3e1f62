import { listed, notAChoice, notOneOf, noValue, typeName } from "./explain";
import { bareWord } from "./knownWords";
import { isObject, type Properties } from "./objects";
import type { ReadNumber } from "./setting";
import { tidy } from "./units";

/** The 16 points of the compass, clockwise from north. */
export const CARDINAL_NAMES = [
  "N",
  "NNE",
  "NE",
  "ENE",
  "E",
  "ESE",
  "SE",
  "SSE",
  "S",
  "SSW",
  "SW",
  "WSW",
  "W",
  "WNW",
  "NW",
  "NNW",
] as const;
/**
 * A point of the compass, such as `SSW`.
 * @useDeclaredType
 */
export type CardinalName = (typeof CARDINAL_NAMES)[number];

const CONVENTIONS = {
  "north-zero": { minimum: 0, maximum: 360, meaning: "0 is north, 90 east", toCompass: (degrees: number) => degrees },
  "south-zero": {
    minimum: -180,
    maximum: 180,
    meaning: "0 is south, -90 east",
    toCompass: (degrees: number) => 180 + degrees,
  },
  solcast: { minimum: -180, maximum: 180, meaning: "0 is north, -90 east", toCompass: (degrees: number) => -degrees },
};

const CONVENTION_MEANINGS = Object.fromEntries(
  Object.entries(CONVENTIONS).map(([name, { meaning }]) => [name, meaning]),
);

/**
 * The way in which an azimuth is counted.
 *
 * - `north-zero`: a compass bearing, clockwise from north, 0 to 360
 * - `south-zero` (forecast.solar, PVGIS, Open-Meteo): from south with east negative, -180 to 180
 * - `solcast`: from north with east negative, -180 to 180
 *
 * @useDeclaredType
 */
export type AzimuthConvention = keyof typeof CONVENTIONS;

/** The compass bearing, from 0 to below 360, of an azimuth that is counted in another convention. */
export function toBearing(degrees: number, convention: AzimuthConvention): number {
  const turned = CONVENTIONS[convention].toCompass(degrees) % 360;
  return tidy((turned + 360) % 360) % 360;
}

/** Reads an azimuth that is not a plain number as a compass bearing, from 0 to below 360. */
export function readAzimuth(given: unknown): ReadNumber {
  if (given === null) return { problem: noValue(FORMS) };
  const point = CARDINAL_NAMES.indexOf(given as CardinalName);
  if (point >= 0) return { value: (point * 360) / CARDINAL_NAMES.length };
  if (typeof given === "string" && Number.isNaN(Number(given))) return { problem: notAPoint(given) };
  if (isObject(given)) return readDegrees({ ...given });
  return { problem: `must be ${FORMS}, not ${typeName(given)}` };
}

/** The points of the compass in German, English, French, Spanish, Italian, Dutch, Danish and Swedish. */
const POINT_WORDS: Readonly<Record<string, string>> = {
  N: "norden north norte noord norr nord nor",
  E: "osten leste east oost este ost est",
  S: "sueden suden south soder zuid sued syd sud sul sur",
  W: "westen ouest oeste ovest west vest vast",
};
const POINT_OF_WORD = new Map(
  Object.entries(POINT_WORDS).flatMap(([point, words]) => words.split(" ").map((word) => [word, point])),
);
// The longest words come first, so that `norte` is not read as `nor`.
const POINT_WORD = new RegExp([...POINT_OF_WORD.keys()].sort((one, other) => other.length - one.length).join("|"), "g");

/** Planes as a person would write them, in YAML and in TypeScript. */
export const PLANE_EXAMPLE = '{ peakPower: "5 kWp", azimuth: "E", tilt: 30 }';
export const PLANES_EXAMPLE = `[${PLANE_EXAMPLE}, …]`;

/** The forms of an azimuth, in words. */
const FORMS = "degrees clockwise from north (90 is east, 180 south) or a point of the compass such as SSW";

/** The problem of a text that is no point of the compass. */
function notAPoint(given: string): string {
  const readings = readingsOf(given);
  const has = (letters: string, both: string) => [...both].every((point) => letters.includes(point));
  if (readings.some((letters) => /^[NESW]+$/.test(letters) && (has(letters, "EW") || has(letters, "NS")))) {
    return `${JSON.stringify(given)} is two directions: in place of peakPower, azimuth and tilt, write planes: ${PLANES_EXAMPLE}`;
  }
  // No two points have the same letters, so SES can only mean SSE.
  const sorted = (letters: string) => [...letters].sort().join("");
  const [one, other] = readings.flatMap((letters) => CARDINAL_NAMES.filter((name) => sorted(name) === sorted(letters)));
  if (one === undefined) return notOneOf(CARDINAL_NAMES, given, FORMS);
  const meant = other === undefined ? one : `${one} (O for Ost) or ${other} (O for ouest, oeste, ovest)`;
  return `${JSON.stringify(given)} is not an azimuth; did you mean ${meant}?`;
}

/**
 * The points that a text can mean, such as `south`, `South-West`, `Südost` or `SO`. A text with the letter O alone has
 * two readings: east in German, west in French, Spanish and Italian.
 */
function readingsOf(text: string): string[] {
  const letters = bareWord(text.replace(/\b(?:and|und|et)\b/gi, ""))
    .replace(POINT_WORD, (word) => POINT_OF_WORD.get(word) as string)
    .toUpperCase();
  return letters.includes("O") ? ["E", "W"].map((side) => letters.replaceAll("O", side)) : [letters];
}

/** Converts a negative azimuth to a compass bearing in each convention of the usual solar services. */
export function bearingHint(value: number): string {
  if (value > 360 && value < 720) return `did you mean ${tidy(value - 360)} (without a full turn)?`;
  if (value > 0 || value < -360) return "0 is north, 90 east, 180 south";
  const [fromSouth, solcast, clockwise] = (["south-zero", "solcast", "north-zero"] as const).map((convention) =>
    toBearing(value, convention),
  );
  const ofSouth = `${fromSouth} (counted from south, as in ${listed(["forecast.solar", "PVGIS", "Open-Meteo"], "and")}`;
  const ofSolcast = fromSouth === solcast ? ", or from Solcast)" : `), ${solcast} (from Solcast)`;
  return `write ${ofSouth}${ofSolcast} or ${clockwise} (clockwise from north)`;
}

function readDegrees({ degrees, convention, ...others }: Properties): ReadNumber {
  const [stray] = Object.keys(others);
  if (stray !== undefined) return { problem: `can have only degrees and convention, not ${stray}` };
  if (!isConvention(convention)) {
    return { problem: `convention ${notAChoice(CONVENTION_MEANINGS, convention)}` };
  }
  const { minimum, maximum, meaning } = CONVENTIONS[convention];
  if (typeof degrees === "number" && degrees >= minimum && degrees <= maximum) {
    return { value: toBearing(degrees, convention) };
  }
  const range = `from ${minimum} to ${maximum} in the convention ${JSON.stringify(convention)} (${meaning})`;
  return { problem: `degrees must be ${range}, not ${typeName(degrees)}` };
}

function isConvention(name: unknown): name is AzimuthConvention {
  return typeof name === "string" && Object.hasOwn(CONVENTIONS, name);
}
