import { type DeviceKind, differingKeys } from "../settings/setting";
import type { Change, Difference, Place } from "./changes";
import type { Handover } from "./handover";
import { acceptedValues, fromInputs, fromOutputs, type Properties, type State } from "./state";

/**
 * Compares what is declared with what is known of the device, without a request. Only declared keys count.
 * @param handover gets the device if the resource gives it up
 */
export function diff(kind: DeviceKind, olds: Properties, news: Properties, handover?: Handover): Difference {
  const before = fromOutputs(kind, olds);
  const after = fromInputs(kind, news);
  const replaces = (["businessId", "deviceId"] as const).filter((key) => before[key] !== after[key]);
  if (replaces.length > 0) handover?.offer(before);
  const ids = replaces.map((key): Change => ({ kind: "value", key, before: before[key], after: after[key] }));
  return { changes: [...ids, ...valueChanges(before, after)], replaces };
}

/**
 * What changes of the settings of one device, and of what a delete does to it.
 * @param after what an update will declare
 * @param held keys that stay as they are
 */
export function valueChanges(
  before: State,
  after: Pick<State, "values" | "onDelete">,
  { device, held = [] }: { readonly device?: Place; readonly held?: readonly string[] } = {},
): Change[] {
  const accepted = acceptedValues(before);
  const changed = differingKeys(after.values, accepted);
  const unmanaged = Object.keys(before.values).filter((key) => !(key in after.values) && !held.includes(key));
  const onDelete = { before: before.onDelete ?? "retain", after: after.onDelete ?? "retain" };
  const of = (key: string, change: Pick<Change & { kind: "value" }, "before" | "after">): Change => ({
    ...{ kind: "value", ...(device && { device }), key },
    ...change,
  });
  return [
    ...changed.map((key) => of(key, { before: accepted[key] ?? before.reported[key], after: after.values[key] })),
    ...unmanaged.map((key) => of(key, { before: before.values[key] })),
    ...(onDelete.before === onDelete.after ? [] : [of("onDelete", onDelete)]),
  ];
}
