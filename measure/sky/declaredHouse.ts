import type { BaseLoad, Unmeasured } from "./baseLoad";
import type { CutIn } from "./cutIn";

/** Usual mistakes in the declaration of a base load or a cut-in threshold. */
export type HouseMistake = "kilowatts" | "average" | "includesCar" | "perDay" | "energyPerStep" | "tooLarge";

/** The comparison of a declared value with a meter or with mornings. */
export interface HouseVerdict {
  readonly differs: boolean;
  readonly mistake?: HouseMistake;
}

/** A value counts as wrong if it is off by this factor and by this many W. */
const WRONG = { baseLoad: { factor: 1.35, watts: 40 }, cutInThreshold: { factor: 1.6, watts: 30 } };

/** A wrong value is also off by this many standard deviations. */
const DEVIATIONS = 3;

const AGREES: HouseVerdict = { differs: false };

type Measured = Pick<BaseLoad, "kind" | "value" | "deviation"> &
  Partial<Pick<BaseLoad, "mean" | "nights" | "busyNights">>;

export function judgeBaseLoad(declared: number, found: Measured | Unmeasured): HouseVerdict {
  if (found.kind === "notEnough") return above(declared, found.atMost);
  if (isInKilowatts(declared, found.value)) return wrong("kilowatts");
  if (!isOff(declared, found, WRONG.baseLoad)) return AGREES;
  const { value, mean = 0, nights = 0, busyNights = 0 } = found;
  const near = nearTo(declared, found);
  if (near(value / 1000)) return wrong("kilowatts");
  if ([mean, nights].some((one) => one > 1.35 * value && near(one, 0.15)))
    return wrong(busyNights > 0.12 ? "includesCar" : "average");
  if (near(24 * value)) return wrong("perDay");
  return near(4 * value) || near(value / 4) ? wrong("energyPerStep") : { differs: true };
}

export function judgeCutIn(declared: number, found: Pick<CutIn, "kind" | "value" | "deviation"> | Unmeasured) {
  if (found.kind === "notEnough") return above(declared, found.atMost);
  if (isInKilowatts(declared, found.value)) return wrong("kilowatts");
  if (!isOff(declared, found, WRONG.cutInThreshold)) return AGREES;
  return nearTo(declared, found)(found.value / 1000) ? wrong("kilowatts") : { differs: true };
}

interface Value {
  readonly value: number;
  readonly deviation: number;
}

/** No house takes less than 1 W, and a threshold of 0 W is the service's own. */
function isInKilowatts(declared: number, value: number): boolean {
  return declared > 0 && declared < 1 && value > 5;
}

function isOff(declared: number, { value, deviation }: Value, limit: { factor: number; watts: number }): boolean {
  const [factor, watts] = [Math.abs(distanceOf(declared, value)), Math.abs(declared - value)];
  if (factor <= Math.log(limit.factor) || watts <= limit.watts) return false;
  // In W too: near 0, every declared value would be within the deviation as a factor.
  return watts > DEVIATIONS * deviation || factor > (DEVIATIONS * deviation) / Math.max(value, 1);
}

function nearTo(declared: number, { value, deviation }: Value) {
  return (other: number, least = 0.12) =>
    Math.abs(distanceOf(declared, other)) < Math.max(least, (2 * deviation) / Math.max(value, 1));
}

function distanceOf(declared: number, value: number): number {
  return Math.log(Math.max(declared, 1e-6) / Math.max(value, 1e-3));
}

/** A limit is less certain than a value, so a declared one has to be far above. */
function above(declared: number, most: number | undefined): HouseVerdict {
  return most !== undefined && declared > 1.5 * most + 40 ? wrong("tooLarge") : AGREES;
}

function wrong(mistake: HouseMistake): HouseVerdict {
  return { differs: true, mistake };
}
