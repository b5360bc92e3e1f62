import { DELETE_EFFECTS, DRIFT_EFFECTS } from "./declaration";
import { choicesText, listed } from "./explain";
import { unitsOf } from "./quantity";
import type { Choices, NumberSetting, Setting } from "./setting";

/** The effects of `onDelete`, as a sentence. */
export function describeOnDelete(effects: Choices): string {
  return `The effect of a delete on the device: ${choicesText(effects)}.`;
}

/** The arguments besides settings, in a sentence each, for schemas. */
export const ARGUMENTS = {
  deviceId: "Device identifier at the service.",
  businessId: "The business of the devices.",
  onDelete: describeOnDelete(DELETE_EFFECTS),
  onDrift: `The answer to a value that somebody else set after the last update: ${choicesText(DRIFT_EFFECTS)}. One answer for all settings, or one by setting, such as { policy: keep }.`,
  ignoreLints: "Names of warnings to switch off.",
  observe: "Whether the device is only read, because something else manages it.",
  vehicles: "vehicles by name. The name stays if the device is replaced.",
  inverters: "inverters by name. The name stays if the device is replaced.",
  solar: "Whether the provider makes the site ready for solar-aware charging. Default: whether it has inverters.",
  requireReady: "Whether a site that lacks something fails the preview and the update.",
} as const;

/** The sources of ranges, in words. */
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

/** A setting in a program: its meaning, unit, range, other forms and default. */
export function describe(setting: Setting): string {
  if (setting.type === "choice") return describePlain(setting);
  const units = listed(Object.keys(unitsOf(setting)), "or");
  const forms = setting.otherFormsInWords ? `. Other forms: ${setting.otherFormsInWords}` : "";
  return describePlain(setting, `. A text has a unit: ${units}${forms}`);
}

/** The meaning, unit, range and default of a setting. @param forms words about other forms */
export function describePlain(setting: Setting, forms = ""): string {
  const { description } = setting;
  if (setting.type === "choice") return `${description}${fallbackOf(setting)}`;
  const range = `A number is in ${setting.unit}, from ${rangeOf(setting)}${SOURCES[setting.source]}`;
  return `${description} ${range}${forms}.${fallbackOf(setting)}`;
}

/** A reported setting: its meaning and its unit. */
export function describeReported(setting: Setting): string {
  return setting.type === "choice" ? setting.description : `${setting.description} Unit: ${setting.unit}.`;
}
