import type { BaseLoad } from "./baseLoad";
import type { Capacity } from "./capacity";
import type { Estimate } from "./numbers";
import { FAST } from "./sessions";

/** Usual mistakes in the declaration of a car, of a base load, and of a cut-in threshold. */
export type SettingMistake =
  | "kilowattHours"
  | "kilowatts"
  | "grossOrNew"
  | "otherCar"
  | "fastCharging"
  | "phases"
  | "current"
  | "tooSmall"
  | "average"
  | "includesCar"
  | "perDay"
  | "energyPerStep"
  | "unitOfFile"
  | "tooLarge";

/** The comparison of a declared value with a measured one. */
export interface SettingVerdict {
  readonly differs: boolean;
  /** Whether the measured value is too uncertain for a comparison, or for a cause. */
  readonly isUncertain?: boolean;
  readonly mistake?: SettingMistake;
}

/**
 * The limits of a setting. A declared value is wrong only if it is off by a factor and by a number of W. A measured
 * value is too uncertain only if its ± is above a share of it and above a number of W.
 */
interface Limit {
  readonly factor: number;
  readonly watts?: number;
  readonly uncertain: number;
}

const LIMITS = {
  battery: { factor: 1.06, uncertain: 0.36 },
  charger: { factor: 1.12, uncertain: 0.36 },
  power: { factor: 1.15, uncertain: 0.36 },
  baseLoad: { factor: 1.35, watts: 40, uncertain: 0.5 },
  cutInThreshold: { factor: 1.6, watts: 30, uncertain: 1 },
};

/** A value counts as wrong only if it is off by more than this many standard deviations. */
const DEVIATIONS = 3;

/** A measured value, or the limits of a value that could not be measured. An earlier run may have found it. */
type Found =
  | (Estimate & { readonly kind: "measured" } & Partial<
        Pick<Capacity, "from"> & Pick<BaseLoad, "mean" | "nights" | "busyNights">
      > & { readonly drawn?: number | undefined })
  | {
      readonly kind: "notEnough" | "severalCars";
      readonly atLeast?: number | undefined;
      readonly atMost?: number | undefined;
    };

/** The judge of a setting. @param others measured capacities of other cars in the same file, in Wh */
export type Judge = (declared: number, found: Found, others?: readonly number[]) => SettingVerdict;

/** Converts a deviation that is a share of the value to W. */
const inWatts = ({ value, deviation }: Estimate): Estimate => ({ value, deviation: value * deviation });

/** The judge of each setting. */
export const JUDGES: Readonly<Record<"maxCapacity" | "maxChargePower" | "baseLoad" | "cutInThreshold", Judge>> = {
  maxCapacity: (declared, found, others = []) => {
    if (found.kind !== "measured") return limited(declared, found, "kilowattHours");
    const { value, drawn, from = "charger" } = found;
    // If only the charger was measured, the declared value may be the energy at the charger.
    if (from === "charger" && drawn !== undefined && declared >= value && declared <= 1.02 * drawn)
      return { differs: false };
    return compared(declared, inWatts(found), LIMITS[from], (near) => {
      if (near(value / 1000)) return "kilowattHours";
      if (others.some((one) => Math.abs(Math.log(declared / one)) < Math.max(0.05, 2 * found.deviation)))
        return "otherCar";
      return declared > value && declared < 1.22 * value ? "grossOrNew" : undefined;
    });
  },

  maxChargePower: (declared, found) => {
    if (found.kind !== "measured") return limited(declared / 0.9, found, "kilowatts");
    const { value } = found;
    return compared(declared, inWatts(found), LIMITS.power, (near) => {
      if (near(value / 1000)) return "kilowatts";
      if (declared > FAST) return "fastCharging";
      if ([3, 1 / 3, 2 / 3, 3 / 2].some((factor) => near(factor * value))) return "phases";
      return [2, 1 / 2].some((factor) => near(factor * value)) ? "current" : undefined;
    });
  },

  baseLoad: (declared, found) => {
    if (found.kind !== "measured") return limited(declared, found);
    const { value, mean = 0, nights = 0, busyNights = 0 } = found;
    return ofHouse(declared, found, LIMITS.baseLoad, (near) => {
      if ([mean, nights].some((one) => one > 1.35 * value && near(one, 0.15)))
        return busyNights > 0.12 ? "includesCar" : "average";
      if (near(24 * value)) return "perDay";
      return near(4 * value) || near(value / 4) ? "energyPerStep" : undefined;
    });
  },

  cutInThreshold: (declared, found) =>
    found.kind === "measured"
      ? ofHouse(declared, found, LIMITS.cutInThreshold, () => undefined)
      : limited(declared, found),
};

/** Whether a declared value is near another one: within a factor whose logarithm is at least 0.12. */
type Near = (other: number, least?: number) => boolean;

/** @param mistakeOf the mistake that explains a wrong value */
function ofHouse(
  declared: number,
  found: Estimate,
  limit: Limit,
  mistakeOf: (near: Near) => SettingMistake | undefined,
): SettingVerdict {
  // No house takes less than 1 W. A threshold of 0 W is the service's own.
  if (declared > 0 && declared < 1 && found.value > 5) return wrong("kilowatts");
  // Both can be in a wrong unit then.
  return compared(declared, found, limit, (near) =>
    [1000, 1 / 1000].some((factor) => near(factor * found.value)) ? "unitOfFile" : mistakeOf(near),
  );
}

function compared(
  declared: number,
  { value, deviation }: Estimate,
  { factor, watts = 0, uncertain }: Limit,
  mistakeOf: (near: Near) => SettingMistake | undefined,
): SettingVerdict {
  const distance = (other: number) => Math.abs(Math.log(declared / other));
  const [off, share] = [Math.abs(declared - value), deviation / value];
  // The difference in W decides too: near 0, a factor alone would accept every declared value.
  const isOff = off > DEVIATIONS * deviation || distance(value) > DEVIATIONS * share;
  const differs = isOff && distance(value) > Math.log(factor) && off > watts;
  if (2 * deviation > Math.max(watts, uncertain * value)) return { differs, isUncertain: true };
  // With a wide ±, each cause would explain the difference.
  const mistake =
    differs && mistakeOf((other, least = 0.12) => distance(other) < Math.max(least, Math.min(2 * share, 0.2)));
  return { differs, ...(mistake && { mistake }) };
}

/**
 * Compares a value with a limit alone. An upper limit is less certain than a measured value, so only a declared value
 * far above it counts as wrong.
 */
function limited(
  declared: number,
  found: Exclude<Found, { kind: "measured" }>,
  unit: SettingMistake = "kilowatts",
): SettingVerdict {
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = found;
  if (declared > 1.5 * atMost + 40) return wrong("tooLarge");
  if (declared >= atLeast) return { differs: false };
  return wrong(declared < 400 && declared * 1000 >= atLeast ? unit : "tooSmall");
}

function wrong(mistake: SettingMistake): SettingVerdict {
  return { differs: true, mistake };
}
