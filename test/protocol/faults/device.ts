import { isDeepStrictEqual } from "node:util";
import type { Settings } from "solar-charging-simulator";

/** The settings of a device before the first update, and the declared ones, by wire name. */
export const OLD: Settings = { max_capacity: 60_000, max_charge_power: 7_400 };
export const NEW: Settings = { max_capacity: 77_000, max_charge_power: 11_000 };

/** The settings of a device in a word: "old", "new", or the differences from both. */
export function wordFor({ policy, ...settings }: Settings): string {
  const half = { ...OLD, max_capacity: NEW.max_capacity };
  const halfBack = { ...NEW, max_capacity: OLD.max_capacity };
  const words: [Settings, string][] = [
    [OLD, "old"],
    [NEW, "new"],
    [half, "half new"],
    [halfBack, "half old"],
  ];
  const word = words.find(([known]) => isDeepStrictEqual(known, settings))?.[1] ?? JSON.stringify(settings);
  return policy === "CHARGE BY" ? word : `${word}, their policy`;
}
