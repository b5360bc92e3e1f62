import { unitsOf } from "./quantity";
import type { NumberSetting, Setting } from "./setting";

/** The arguments beside settings, in a sentence each, for schemas. */
export const ARGUMENTS = {
  deviceId: "Device identifier at the service.",
  businessId: "The business of the devices.",
  onDelete:
    "What a delete does to the device: retain leaves its values, restore writes back what they were before, reset writes the service's defaults (vehicles only).",
  ignoreLints: "Names of warnings that are switched off.",
  observe: "Whether the device is only read, because something else manages it.",
  vehicles: "vehicles by name, which stays if the device is swapped.",
  inverters: "inverters by name, which stays if the device is swapped.",
  solar: "Whether the site is made ready for solar-aware charging. Default: whether it has inverters.",
  requireReady: "Whether a site that lacks something is refused, in the preview already.",
} as const;

/** Where a range comes from. */
const SOURCES: Readonly<Record<Setting["source"], string>> = {
  documented: ", as the service documents",
  "our choice": " (our choice: the service documents no range)",
  "by definition": "",
};

/** The default of a setting, as a sentence that begins with a space. */
function fallbackOf(setting: Setting): string {
  if (setting.default === undefined) return "";
  const value = setting.type === "number" ? `${setting.default} ${setting.unit}` : setting.default;
  return ` If nothing is known, the service assumes ${value}.`;
}

/** A range, such as `0 to below peakPower`. */
export function rangeOf({ minimum, maximum, below }: NumberSetting): string {
  return `${minimum} to ${below ? `below ${below}` : maximum}`;
}

/** A setting as a program gives it: what it is, unit, range, other forms, default. */
export function describe(setting: Setting): string {
  const { description } = setting;
  if (setting.type === "choice") return `${description}${fallbackOf(setting)}`;
  const units = Object.keys(unitsOf(setting)).join(", ");
  const forms = setting.otherFormsInWords ? `; or ${setting.otherFormsInWords}` : "";
  const range = `A number is in ${setting.unit}, from ${rangeOf(setting)}${SOURCES[setting.source]}`;
  return `${description} ${range}; a text has its unit: ${units}${forms}.${fallbackOf(setting)}`;
}

/** A setting as the service reports it: what it is, and its unit. */
export function describeReported(setting: Setting): string {
  return setting.type === "choice" ? setting.description : `${setting.description} Unit: ${setting.unit}.`;
}
