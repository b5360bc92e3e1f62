import type { MeasuredDevice } from "./model";
import { SINGLE_SETTINGS } from "./model";

/** The verdict of a device is the first of these that a setting has. */
const ORDER = ["differs", "severalCars", "agrees", "notDeclared"] as const;

/** The findings about a device whose settings were measured one by one. */
export function deviceOf(name: string, settings: NonNullable<MeasuredDevice["settings"]>): MeasuredDevice {
  const verdicts = SINGLE_SETTINGS.map((key) => settings[key]?.verdict);
  return {
    name,
    verdict: ORDER.find((one) => verdicts.includes(one)) ?? "notEnough",
    differs: SINGLE_SETTINGS.filter((key) => settings[key]?.verdict === "differs"),
    settings,
  };
}

/** Findings about the same device from two files. If the panels were measured, the verdict is theirs. */
export function bothOf(one: MeasuredDevice, other: MeasuredDevice): MeasuredDevice {
  const settings = { ...one.settings, ...other.settings };
  const { name, verdict, differs } = deviceOf(one.name, settings);
  const roof = [other, one].find(({ clearDays }) => clearDays !== undefined);
  return { ...(roof ?? { name, verdict, differs }), ...(Object.keys(settings).length > 0 && { settings }) };
}

/** The day of a moment: `2025-06-01`. @param at unix seconds */
export function dayOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 10);
}
