import { unitsOf } from "./quantity";
import type { Setting } from "./setting";

/** What can be declared beside settings, in a sentence each: for schemas. */
export const ARGUMENTS = {
  deviceId: "The device at the service.",
  businessId: "The business of the devices.",
  onDelete:
    "What a delete does to the device: nothing (retain), or it writes what was before (restore), or the service's defaults (reset).",
  ignoreLints: "Lints that are switched off.",
  observe: "Whether the device is only read: something else manages it.",
  vehicles: "vehicles by name, which stays if the device is swapped.",
  inverters: "inverters by name, which stays if the device is swapped.",
  solar: "Whether the site is made ready for solar-aware charging. Default: whether it has inverters.",
  requireReady: "Whether a site that lacks something is refused, in the preview already.",
} as const;

/** A setting in words: what it is, its unit and range, and what the service assumes without it. */
export function describe(setting: Setting): string {
  const fallback = setting.default === undefined ? "" : ` The service assumes ${setting.default} if nothing is known.`;
  if (setting.type === "choice") return `${setting.description}${fallback}`;
  const { description, minimum, maximum, unit, below } = setting;
  const units = Object.keys(unitsOf(setting)).join(", ");
  const limit = below ? ` Has to be below ${below}.` : "";
  return `${description} A number is in ${unit}, ${minimum} to ${maximum}; a text has its unit: ${units}.${limit}${fallback}`;
}
