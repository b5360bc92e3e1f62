import { wrongPanels } from "../sky/judge";
import { hasMorePlanes, type MeasuredDevice, type MeasuredRoof, roofOf, SINGLE_SETTINGS } from "./model";

/** The verdict of a device is the first of these that a setting has: a whole agrees only if each part was compared. */
const ORDER = ["differs", "severalPlanes", "severalCars", "notEnough", "agrees", "notDeclared"] as const;

/** The findings about a device, with what they say together. */
export function deviceOf(
  name: string,
  settings: NonNullable<MeasuredDevice["settings"]>,
  roof?: MeasuredRoof,
): MeasuredDevice {
  const verdicts: string[] = [
    // A nearly level roof agrees by its tilt.
    ...Object.values(roof?.panels ?? {}),
    ...(roof && hasMorePlanes(roof) ? ["severalPlanes"] : []),
    // Without a declared value, there is nothing to compare.
    ...SINGLE_SETTINGS.flatMap((key) => {
      const { verdict, declared } = settings[key] ?? {};
      return verdict === undefined || (verdict === "notEnough" && declared === undefined) ? [] : [verdict];
    }),
  ];
  return {
    ...roof,
    ...{ name, ...(Object.keys(settings).length > 0 && { settings }) },
    verdict: ORDER.find((one) => verdicts.includes(one)) ?? "notEnough",
    differs: [
      ...(roof ? wrongPanels(roof) : []),
      ...SINGLE_SETTINGS.filter((key) => settings[key]?.verdict === "differs"),
    ],
  };
}

/** Findings about the same device from two files. For what both have, `other` counts. */
export function bothOf(one: MeasuredDevice, other: MeasuredDevice): MeasuredDevice {
  return deviceOf(one.name, { ...one.settings, ...other.settings }, roofOf(other) ?? roofOf(one));
}

/** The day of a moment: `2025-06-01`. @param at unix seconds */
export function dayOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 10);
}
