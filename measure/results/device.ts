import { wrongPanels } from "../sky/judge";
import { hasMorePlanes, type MeasuredDevice, type MeasuredRoof, roofOf, SINGLE_SETTINGS } from "./model";

/**
 * The order of verdicts. A device has the first one that any of its settings has: it agrees only if each setting was
 * compared.
 */
const ORDER = ["differs", "severalPlanes", "severalCars", "notEnough", "agrees", "notDeclared"] as const;

/** The findings about a device, with the verdict on all of them. */
export function deviceOf(
  name: string,
  settings: NonNullable<MeasuredDevice["settings"]>,
  roof?: MeasuredRoof,
): MeasuredDevice {
  const verdicts: (string | undefined)[] = [
    // A nearly level roof agrees if its tilt does.
    ...Object.values(roof?.panels ?? {}),
    ...(roof && hasMorePlanes(roof) ? ["severalPlanes"] : []),
    // Without a declared value, nothing is compared.
    ...SINGLE_SETTINGS.flatMap((key) => {
      const { verdict, declared } = settings[key] ?? {};
      return verdict === "notEnough" && declared === undefined ? [] : [verdict];
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

/** Merges findings about one device from two files. If both have a setting, that of `other` counts. */
export function bothOf(one: MeasuredDevice, other: MeasuredDevice): MeasuredDevice {
  return deviceOf(one.name, { ...one.settings, ...other.settings }, roofOf(other) ?? roofOf(one));
}
