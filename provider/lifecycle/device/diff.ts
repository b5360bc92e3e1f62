import { isDeepStrictEqual } from "node:util";
import type { Store } from "../../ledger/store";
import { type Declaration, OnDelete, OnDrift, OPTION_KEYS } from "../../settings/declaration";
import type { Place } from "../../settings/groups";
import { defined, type Properties } from "../../settings/objects";
import type { Values } from "../../settings/setting";
import type { Difference, ValueChange } from "../run/changes";
import { asRestored, planRelease } from "./baselines";
import { acceptedOf, differingKeys, managedIn, type Records, reportedOf, valuesBy } from "./record";
import { type State, stateUnder } from "./state";

/**
 * Compares the declaration with the known state of the device, without a request. Only declared keys count.
 * @param store remembers the device if the resource stops managing it
 */
export function diff(inState: State, after: Declaration, store: Store): Difference {
  const before = asRestored(store, stateUnder(inState, after));
  const ids = optionChanges(before, after, ID_KEYS);
  if (ids.length > 0) planRelease(store, before);
  return {
    changes: [...ids, ...valueChanges(before.settings, after.values), ...optionChanges(before, after, OPTION_KEYS)],
    replaces: ids.map(({ key }) => key),
  };
}

/** The keys that identify a device. */
export const ID_KEYS = ["businessId", "deviceId"];

/** The changes of the settings of one device. @param after the values that an update will declare */
export function valueChanges(before: Records, after: Values, device?: Place): ValueChange[] {
  const changed = differingKeys(after, valuesBy(before, acceptedOf));
  const unmanaged = managedIn(before).filter(([key]) => !(key in after));
  return [
    ...changed.map((key) => {
      const record = before[key];
      return changeOf(device, key, acceptedOf(record) ?? reportedOf(record), after[key]);
    }),
    ...unmanaged.map(([key, { value }]) => changeOf(device, key, value, undefined)),
  ];
}

/** The changes of arguments that are not sent. @param keys the arguments to compare */
export function optionChanges(before: object, after: object, keys: readonly string[], device?: Place): ValueChange[] {
  const given = (options: object, key: string) =>
    (options as Properties)[key] ?? DEFAULTS[key as keyof typeof DEFAULTS];
  return keys.flatMap((key) => {
    const [old, next] = [given(before, key), given(after, key)];
    return isDeepStrictEqual(old, next) ? [] : [changeOf(device, key, old, next)];
  });
}

/** The default of each option: declaring it changes nothing. */
const DEFAULTS = { onDelete: OnDelete.Retain, onDrift: OnDrift.Repair };

function changeOf(device: Place | undefined, key: string, before: unknown, after: unknown): ValueChange {
  return defined({ kind: "value" as const, device, key, before, after });
}
