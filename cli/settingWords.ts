import { UNKNOWN } from "../provider/lifecycle/program";
import { GROUPS } from "../provider/settings/readiness";
import type { NumberSetting } from "../provider/settings/setting";
import { tidy } from "../provider/settings/units";

/** The names of settings in sentences, for people who do not write programs. */
const NAMES = {
  maxCapacity: "capacity",
  maxChargePower: "charge power",
  policy: "policy",
  peakPower: "peak power",
  azimuth: "azimuth",
  tilt: "tilt",
  cutInThreshold: "cut-in threshold",
  baseLoad: "base load",
  onDelete: "on delete",
};

const UNITS = new Map(
  Object.values(GROUPS).flatMap(({ settings }) =>
    Object.entries(settings).flatMap(([key, setting]) =>
      setting.type === "number" ? [[key, (setting as NumberSetting).unit] as const] : [],
    ),
  ),
);

/** The name of a setting in a sentence: `charge power`. */
export function settingInWords(key: string): string {
  return Object.hasOwn(NAMES, key) ? NAMES[key as keyof typeof NAMES] : key;
}

/** A value with its unit: `7.4 kW`, `202.5°`, `CHARGE BY`; a dash if there is none. */
export function valueInWords(key: string, value: unknown): string {
  if (value === undefined) return "–";
  const [number, unit] = partsOf(key, value);
  return number + unit;
}

/** `7.4 → 11 kW`, and with both units if they differ: `9.8 kW → 9.8 W`. */
export function changeInWords(key: string, from: unknown, to: unknown): string {
  const [[before, unitBefore], [after, unitAfter]] = [partsOf(key, from), partsOf(key, to)];
  return unitBefore === unitAfter && unitAfter.startsWith(" ")
    ? `${before} → ${after}${unitAfter}`
    : `${before}${unitBefore} → ${after}${unitAfter}`;
}

/** A value as a number or a text, and its unit. */
function partsOf(key: string, value: unknown): [string, string] {
  if (value === undefined) return ["(not known)", ""];
  if (value === UNKNOWN) return ["(known after the update)", ""];
  const unit = UNITS.get(key);
  if (typeof value !== "number" || unit === undefined)
    return [typeof value === "string" ? value : JSON.stringify(value), ""];
  if (unit === "degrees") return [String(tidy(value)), "°"];
  return Math.abs(value) >= 1000 ? [String(tidy(value / 1000)), ` k${unit}`] : [String(tidy(value)), ` ${unit}`];
}
