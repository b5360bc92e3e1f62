import fc from "fast-check";
import { inverter } from "../../provider/settings/inverter";
import { idSchema } from "../../provider/settings/schema";
import type { DeviceKind, Setting, Value, Values } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";

export const anyKind = fc.constantFrom<DeviceKind>(vehicle, inverter);

function anyValueOf(setting: Setting): fc.Arbitrary<Value> {
  if (setting.type === "choice") return fc.constantFrom(...setting.choices);
  const { minimum: min, maximum: max } = setting;
  return fc.oneof(fc.integer({ min, max }), fc.double({ min, max, noNaN: true }));
}

/** Some or all settings of a kind, each in its range. */
export function someValues(kind: DeviceKind): fc.Arbitrary<Values> {
  const entries = Object.entries(kind.settings).map(([key, setting]) => [key, anyValueOf(setting)] as const);
  const model = Object.fromEntries(entries);
  return fc.record(model, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Values>;
}

/** A kind of device with two sets of values: what it is and what it shall be. */
export const kindAndTwoValues: fc.Arbitrary<{ kind: DeviceKind; first: Values; second: Values }> = anyKind.chain(
  (kind) => fc.record({ kind: fc.constant(kind), first: someValues(kind), second: someValues(kind) }),
);

/** Any id that a device or business can have. */
export const anyId = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((id) => idSchema.safeParse(id).success);
