import { readNumber } from "./quantity";
import type { DeviceKind } from "./setting";

/**
 * The inputs with each value that is given in another form as its number. What cannot be read is left as it is, for
 * the schema to refuse. Values that are not known yet, also nested ones, have to be left out.
 */
export function normalize(kind: DeviceKind, inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const normalized = { ...inputs };
  for (const [key, setting] of Object.entries(kind.settings)) {
    const given = inputs[key];
    if (given === undefined || typeof given === "number" || setting.type !== "number") continue;
    const reading = readNumber(setting, given);
    if (reading && "value" in reading) normalized[key] = reading.value;
  }
  return normalized;
}
