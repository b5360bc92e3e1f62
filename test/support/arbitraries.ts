import fc from "fast-check";
import type { Known, Records } from "../../provider/lifecycle/device/record";
import { inverter } from "../../provider/settings/inverter";
import { idSchema } from "../../provider/settings/schema";
import type { DeviceKind, Setting, Value, Values } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";

export const anyKind = fc.constantFrom<DeviceKind>(vehicle, inverter);

function anyValueOf(setting: Setting): fc.Arbitrary<Value> {
  if (setting.type === "choice") return fc.constantFrom(...Object.keys(setting.choices));
  const { minimum: min, maximum: max } = setting;
  return fc.oneof(fc.integer({ min, max }), fc.double({ min, max, noNaN: true }));
}

/** Some or all settings of a kind, each in its range. */
export function someValues(kind: DeviceKind): fc.Arbitrary<Values> {
  const entries = Object.entries(kind.settings).map(([key, setting]) => [key, anyValueOf(setting)] as const);
  const model = Object.fromEntries(entries);
  return fc.record(model, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Values>;
}

/** Any record of a setting, with values of this sort. */
export function anyRecord(value: fc.Arbitrary<Value>): fc.Arbitrary<Known> {
  type Model = Readonly<Record<string, fc.Arbitrary<unknown>>>;
  const record = (status: Known["status"], model: Model, optional: Model = {}): fc.Arbitrary<unknown> => {
    const all: Model = { ...model, ...optional, status: fc.constant(status) };
    return fc.record(all, { requiredKeys: ["status", ...Object.keys(model)], noNullPrototype: true });
  };
  const baseline = value;
  const sent = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    record("unmanaged", { reported: value }),
    record("verified", { value }, { baseline }),
    record("notReported", { value }, { baseline }),
    record("pending", { value }, { baseline, reported: value }),
    record("adjusted", { value, reported: value }, { baseline }),
    record("drifted", { value, ours: value }, { baseline }),
    record("kept", { value, reported: value }, { baseline, ours: value }),
    record("uncertain", { value, sent }, { baseline, ours: value, reported: value }),
  ) as fc.Arbitrary<Known>;
}

/** Records of some or all settings of a kind. */
export function anyRecords(kind: DeviceKind): fc.Arbitrary<Records> {
  const model = Object.entries(kind.settings).map(([key, setting]) => [key, anyRecord(anyValueOf(setting))] as const);
  return fc.record(Object.fromEntries(model), { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Records>;
}

/** A kind of device with two sets of values. */
export const kindAndTwoValues: fc.Arbitrary<{ kind: DeviceKind; first: Values; second: Values }> = anyKind.chain(
  (kind) => fc.record({ kind: fc.constant(kind), first: someValues(kind), second: someValues(kind) }),
);

/** Any id that a device or business can have. */
export const anyId = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((id) => idSchema.safeParse(id).success);
