import type { DeviceRef } from "../../service/device";
import type { Value } from "../../settings/setting";
import { unmanaged } from "../run/messages";
import type { LeftSetting } from "../run/records";
import type { Report } from "../run/run";
import type { Store } from "../run/store";
import { acceptedOf, baselineOf, isManaged, type Managed, managedIn, ourValues, type Records } from "./record";
import type { State } from "./state";

/** The parts of a call that are needed to stop managing a setting. */
export interface Leaving {
  readonly store: Store;
  readonly info: Report;
  readonly warn: Report;
  /** The engine's name of the resource; undefined if it is not known. */
  readonly urn: string | undefined;
}

/** The settings that a resource stops managing, for the next resource that declares them. @param keys default: all */
export function leftSettings(settings: Records, keys?: readonly string[]): LeftSetting[] {
  return managedIn(settings).flatMap(([key, record]) => {
    const { baseline } = record;
    const ours = ourValues(record).filter((value) => value !== baseline);
    if (ours.length === 0 || keys?.includes(key) === false) return [];
    return [{ key, ours, ...(baseline !== undefined && { before: baseline }) }];
  });
}

/**
 * Stops managing settings whose baselines are not written back: reports the baselines, and keeps them for a later
 * resource that adopts the device. Without this, they would be lost. Every path on which a baseline can leave the
 * state calls this.
 * @param keys the settings. Default: all
 */
export async function leaveUnrestored(
  { store, info, urn }: Leaving,
  { settings, ...device }: DeviceRef & Pick<State, "settings">,
  keys: readonly string[] = managedIn(settings).map(([key]) => key),
): Promise<void> {
  const left = leftSettings(settings, keys);
  store.giveUp(device, left);
  const { journal } = store;
  if (left.length > 0) await journal?.leave(device, left, urn ?? store.anyUrn);
  const lost: Record<string, Value> = {};
  for (const key of keys) {
    const record = settings[key];
    if (!isManaged(record) || record.baseline === undefined || record.baseline === record.value) continue;
    lost[key] = record.baseline;
  }
  if (Object.keys(lost).length > 0) await info(unmanaged(device, lost, journal?.path), urn);
}

/** The state of a device after another resource of the run stopped managing it and wrote to it. */
export function asRestored<S extends DeviceRef & Pick<State, "settings">>(store: Store, state: S): S {
  const found = Object.entries(store.restoredOf(state)).flatMap(([key, value]): [string, Managed][] => {
    const record = state.settings[key];
    const ours = acceptedOf(record);
    if (!isManaged(record) || ours === undefined || ours === value) return [];
    return [[key, { status: "drifted", value, ours, ...baselineOf(record) }]];
  });
  return { ...state, settings: { ...state.settings, ...Object.fromEntries(found) } };
}

/**
 * The state with original baselines, from before our first update. Without this, a resource would keep another
 * resource's value as the baseline if it adopted the device before the engine deleted the other one.
 */
export function withOriginals<S extends DeviceRef & Pick<State, "settings">>(
  { store }: Pick<Leaving, "store">,
  before: S,
): S {
  const state = asRestored(store, before);
  const settings: Record<string, Managed> = {};
  for (const [key, record] of managedIn(state.settings)) {
    const { baseline, ...rest } = record;
    const formers = store.formersOf(state, key);
    const former = formers.get(baseline as Value);
    // Skips a resource that adopted the device later: its baseline is this resource's value, so it knows no earlier
    // one.
    const isLater = former?.value !== undefined && ourValues(record).includes(former.value);
    if (!former || (isLater && formers.get(former.value as Value)?.value !== former.value)) continue;
    settings[key] = { ...rest, ...(former.value !== undefined && { baseline: former.value }) };
  }
  return { ...state, settings: { ...state.settings, ...settings } };
}

/**
 * The value of a setting from before our first update, if the given value is one of ours; otherwise the given value.
 * @returns undefined if it is not known
 */
export function originalOf(
  { store }: Pick<Leaving, "store">,
  device: DeviceRef,
  key: string,
  value: Value,
): Value | undefined {
  const former = store.formersOf(device, key).get(value);
  return former ? former.value : value;
}
