import type { Capacity, SeveralCars } from "./capacity";
import type { ChargePower } from "./chargePower";
import { FAST, type Unknown } from "./sessions";

/** Usual mistakes in the declaration of a car. */
export type CarMistake =
  | "kilowattHours"
  | "kilowatts"
  | "grossOrNew"
  | "otherCar"
  | "fastCharging"
  | "phases"
  | "current"
  | "tooSmall";

/** The comparison of a declared value with sessions. */
export interface CarVerdict {
  readonly differs: boolean;
  readonly mistake?: CarMistake;
}

/** Factors from which a value counts as wrong: capacity from the battery, from the charger, and charge power. */
const WRONG = { battery: 1.06, charger: 1.12, power: 1.15 };

/** A wrong value is also off by this many standard deviations. */
const DEVIATIONS = 3;

const AGREES: CarVerdict = { differs: false };

/** @param others measured capacities of other cars in the same file, in Wh */
export function judgeCapacity(
  declared: number,
  found: Capacity | SeveralCars | Unknown,
  others: readonly number[],
): CarVerdict {
  if (found.kind === "severalCars") return AGREES;
  if (found.kind === "notEnough") return below(declared, found.atLeast, "kilowattHours");
  const { value, drawn, from } = found;
  // If only the charger was measured, the declared value may be the energy at the charger.
  const mayBeDrawn = from === "charger" && drawn !== undefined && declared >= value && declared <= 1.02 * drawn;
  if (mayBeDrawn || !isOff(declared, found, WRONG[from])) return AGREES;
  const near = nearTo(declared, found.deviation);
  if (near(value / 1000)) return wrong("kilowattHours");
  if (others.some((one) => Math.abs(Math.log(declared / one)) < Math.max(0.05, 2 * found.deviation)))
    return wrong("otherCar");
  return declared > value && declared < 1.22 * value ? wrong("grossOrNew") : { differs: true };
}

export function judgeChargePower(declared: number, found: ChargePower | Unknown): CarVerdict {
  if (found.kind === "notEnough") return below(declared, 0.9 * found.atLeast, "kilowatts");
  const { value } = found;
  if (!isOff(declared, found, WRONG.power)) return AGREES;
  const near = nearTo(declared, found.deviation);
  if (near(value / 1000)) return wrong("kilowatts");
  if (declared > FAST) return wrong("fastCharging");
  if ([3, 1 / 3, 2 / 3, 3 / 2].some((factor) => near(factor * value))) return wrong("phases");
  if ([2, 1 / 2].some((factor) => near(factor * value))) return wrong("current");
  return { differs: true };
}

function isOff(declared: number, { value, deviation }: { value: number; deviation: number }, limit: number): boolean {
  return Math.abs(Math.log(declared / value)) > Math.max(Math.log(limit), DEVIATIONS * deviation);
}

function nearTo(declared: number, deviation: number) {
  return (other: number) => Math.abs(Math.log(declared / other)) < Math.max(0.12, 2 * deviation);
}

function below(declared: number, least: number, unit: CarMistake): CarVerdict {
  if (declared >= least) return AGREES;
  return wrong(declared < 400 && declared * 1000 >= least ? unit : "tooSmall");
}

function wrong(mistake: CarMistake): CarVerdict {
  return { differs: true, mistake };
}
