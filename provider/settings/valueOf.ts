import { inverter } from "./inverter";
import { isValueOf, isWithin, type Setting, type Value } from "./setting";
import { vehicle } from "./vehicle";

/** All settings by key. No key belongs to both kinds of device. */
const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  [vehicle, inverter].flatMap(({ settings }) => Object.entries(settings)),
);

/** Whether a value in a file has the type of a known setting. It may be out of range. */
export function isOfSetting(key: string, value: Value): boolean {
  const setting = SETTINGS.get(key);
  return setting !== undefined && isValueOf(setting, value);
}

/** Whether a program may declare the value. @param value undefined if the service does not report it */
export function isInRange(key: string, value: Value | undefined): boolean {
  const setting = SETTINGS.get(key);
  if (setting?.type === "choice") return value !== undefined && Object.hasOwn(setting.choices, value);
  return setting !== undefined && typeof value === "number" && isWithin(setting, value);
}
