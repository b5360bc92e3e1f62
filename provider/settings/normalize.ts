import { isObject, type Properties, pick } from "./objects";
import { FOLDED } from "./planes";
import { readNumber } from "./quantity";
import type { DeviceKind } from "./setting";

/**
 * The inputs with each value in another form converted to its number. Invalid values stay unchanged, so that the schema
 * refuses them. The caller removes unknown values, including nested ones.
 */
export function normalize(kind: DeviceKind, inputs: Properties): Record<string, unknown> {
  const normalized = { ...inputs };
  if (Array.isArray(inputs.planes)) {
    const ofPlane = { ...kind, settings: pick(kind.settings, FOLDED) };
    normalized.planes = inputs.planes.map((plane) => (isObject(plane) ? normalize(ofPlane, plane) : plane));
  }
  for (const [key, setting] of Object.entries(kind.settings)) {
    // A plain number needs no conversion.
    const reading = setting.type === "number" ? readNumber(setting, inputs[key]) : undefined;
    if (reading && "value" in reading) normalized[key] = reading.value;
  }
  return normalized;
}
