import { CARDINAL_NAMES } from "./azimuth";
import { isObject, UNKNOWN } from "./objects";
import { planesOf, planesText } from "./planes";
import { GROUPS } from "./readiness";
import type { NumberSetting } from "./setting";
import { type ShownUnit, tidy, unitFor } from "./units";

const UNITS = new Map(
  Object.values(GROUPS).flatMap(({ settings }) =>
    Object.entries(settings).flatMap(([key, setting]) =>
      setting.type === "number" ? [[key, (setting as NumberSetting).unit] as const] : [],
    ),
  ),
);

/** A value with its unit: `7.4 kW`, `202.5° (SSW)`, `CHARGE BY`; a dash if there is none. */
export function valueInWords(key: string, value: unknown): string {
  return value === undefined ? "–" : (valuesInWords(key, [value])[0] as string);
}

/** Values of one setting in one unit, to compare them: `9800 W` and `9.8 W`. */
export function valuesInWords(key: string, values: readonly unknown[]): string[] {
  const unit = unitFor(UNITS.get(key), values);
  return values.map((value) => plainWords(key, value, unit) + (isBearing(key, value) ? ` (${pointOf(value)})` : ""));
}

/** `7.4 → 11 kW`, `900 → 7400 W`, `20° → 35°`, and `SSW → NNE (202.5° → 22.5°)`. */
export function changeInWords(key: string, from: unknown, to: unknown): string {
  const unit = unitFor(UNITS.get(key), [from, to]);
  const [before, after] = [from, to].map((value) => plainWords(key, value, unit)) as [string, string];
  if (isBearing(key, from) && isBearing(key, to)) {
    const [then, now] = [pointOf(from), pointOf(to)];
    return then === now ? `${before} → ${after} (${now})` : `${then} → ${now} (${before} → ${after})`;
  }
  const isRepeated = unit.name.startsWith(" ") && [from, to].every((value) => typeof value === "number");
  return `${isRepeated ? before.slice(0, -unit.name.length) : before} → ${after}`;
}

/** The point of the compass next to a bearing in degrees: `SSW`. */
export function pointOf(degrees: number): string {
  return CARDINAL_NAMES.at(Math.round(degrees / 22.5) % CARDINAL_NAMES.length) as string;
}

function isBearing(key: string, value: unknown): value is number {
  return key === "azimuth" && typeof value === "number";
}

function plainWords(key: string, value: unknown, { name, factor }: ShownUnit): string {
  if (value === undefined) return "(not known)";
  const planes = planesOf({ planes: value });
  if (planes) return planesText(planes);
  if (value === UNKNOWN) return "(known after the update)";
  if (typeof value === "number" && UNITS.has(key)) return `${tidy(value / factor)}${name}`;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  if (key === "onDrift" && isObject(value)) {
    const answers = Object.entries(value).map(([setting, answer]) => `${setting}: ${answer}`);
    return answers.join(", ");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
