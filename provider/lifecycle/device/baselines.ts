import type { LedgerLine } from "../../ledger/ledgerLine";
import type { Store } from "../../ledger/store";
import { type DeviceRef, nameOf } from "../../service/device";
import type { DeviceOptions } from "../../settings/declaration";
import { defined, isEmpty } from "../../settings/objects";
import type { Value } from "../../settings/setting";
import { isInRange } from "../../settings/valueOf";
import { baselinesBeforeUpdate, notRestorable, sameDevice, unmanaged } from "../run/messages";
import type { Releasing } from "./call";
import { acceptedOf, baselineOf, isManaged, isSame, type Managed, managedIn, ourValues, type Records } from "./record";
import type { State } from "./state";

/** The settings that a resource stops managing, for the next resource that declares them. @param keys default: all */
export function releasedSettings(settings: Records, keys?: readonly string[]) {
  return managedIn(settings).flatMap(([key, record]) => {
    const { baseline: old } = record;
    const ours = keys?.includes(key) === false ? [] : ourValues(record);
    return ours.flatMap((value) => (value === old ? [] : [{ key, old, new: value }]));
  });
}

/** Remembers that a resource will stop managing a device. Call it before another resource adopts the device. */
export function planRelease(store: Store, state: State): void {
  store.note("released", state, releasedSettings(state.settings));
  noteKept(store, state);
}

/** Remembers somebody else's values that stay. Without this, the next resource of the device would overwrite them. */
export function noteKept(store: Store, { settings, ...device }: State): void {
  const kept = managedIn(settings).flatMap(([key, record]) =>
    record.status === "kept" ? [{ key, old: record.reported, new: record.value }] : [],
  );
  store.note("kept", device, kept);
}

/**
 * Stops managing settings whose baselines are not written back: reports the baselines, and keeps them for a later
 * resource that adopts the device. Without this, they would be lost. Every path on which a baseline can leave the
 * state calls this.
 * @param keys the settings. Default: all
 * @param replaced those that get another value than the baseline
 */
export async function releaseUnrestored(
  { store, info, ...writer }: Releasing,
  { settings, ...device }: State,
  keys: readonly string[] = managedIn(settings).map(([key]) => key),
  replaced: readonly string[] = [],
): Promise<void> {
  const released = releasedSettings(settings, keys);
  const file = await store.release(device, released, writer);
  const lost: Record<string, Value> = {};
  for (const key of keys) {
    const record = settings[key];
    if (!isManaged(record) || record.baseline === undefined) continue;
    // Nothing is lost if the device has its baseline. A drifted record does not prove that: another resource of this
    // run may have sent the value.
    if (record.status !== "drifted" && record.baseline === record.value && !replaced.includes(key)) continue;
    lost[key] = record.baseline;
  }
  // A value that was there before us, and that somebody else has replaced, has no line: no later resource needs it.
  const isWritten = Object.keys(lost).every((one) => released.some(({ key }) => key === one));
  if (isEmpty(lost)) return;
  const isMoved = Object.keys(lost).every((key) => store.declared(device, key));
  await info(unmanaged(device, lost, isWritten ? file : undefined, { isMoved }), writer.urn);
}

/** The fingerprint of a device, as read in this run or else as in state, to be spread into its state. */
export function physicalDeviceOf(
  store: Store,
  device: DeviceRef & Pick<State, "physicalDevice">,
): Pick<State, "physicalDevice"> {
  const physicalDevice = store.physical.of(device) ?? device.physicalDevice;
  return physicalDevice === undefined ? {} : { physicalDevice };
}

/** Tells the user about a device that leaves if the run knows the same car or inverter under another id. */
export async function reportSuccessor({ store, info, urn }: Releasing, device: State): Promise<void> {
  const { physicalDevice } = physicalDeviceOf(store, device);
  const is = physicalDevice === undefined ? undefined : store.physical.leave(device, physicalDevice);
  if (is) await info(sameDevice(is, device), urn);
}

/** The first update of a device. The values before it are the baselines. */
interface FirstUpdate {
  readonly device: DeviceRef & DeviceOptions;
  readonly changes: LedgerLine["changes"];
  /** The name in its site, if it has one. */
  readonly label?: string;
}

/**
 * Warns of baselines that no delete can restore, and shows the others if no file keeps them: they would be lost if the
 * process is killed before the engine saves them.
 * @throws Error if it cannot show them: then nothing may be sent
 */
export async function showBaselines(
  { store, info, warn, urn }: Omit<Releasing, "operation" | "isSecret">,
  updates: readonly FirstUpdate[],
): Promise<void> {
  const lost = updates.flatMap(({ device, label = nameOf(device), changes }) => {
    const keys = changes.flatMap(({ key, old }) => (isInRange(key, old) ? [] : [key]));
    return device.onDelete === "restore" && keys.length > 0 ? [{ label, keys }] : [];
  });
  if (lost.length > 0) await warn(notRestorable(lost), urn);
  // The next run of a fleet shows what its journal has. A ledger shows nothing, and the next program may not declare the
  // device: then nobody would know that there is something to restore.
  if (store.journal.isShownNext) return;
  const known = updates.flatMap(({ device, label = nameOf(device), changes }) => {
    const own = Object.fromEntries(changes.flatMap(({ key, old }) => (old === undefined ? [] : [[key, old]])));
    return isEmpty(own) ? [] : [[label, own]];
  });
  if (known.length > 0) await info(baselinesBeforeUpdate(Object.fromEntries(known)));
}

/** The state of a device after another resource of the run stopped managing it and wrote to it. */
export function asRestored<S extends State>(store: Store, state: S): S {
  const found = Object.entries(store.written(state)).flatMap(([key, value]): [string, Managed][] => {
    const record = state.settings[key];
    const ours = acceptedOf(record);
    if (!isManaged(record) || ours === undefined || ours === value) return [];
    return [[key, { status: "drifted", value, ours, ...baselineOf(record) }]];
  });
  return { ...state, settings: { ...state.settings, ...Object.fromEntries(found) } };
}

/**
 * The state with the baselines from before our first update. Without this, a resource would keep another
 * resource's value as the baseline if it adopted the device before the engine deleted the other one.
 */
export function withBaselines<S extends State>(store: Store, before: S): S {
  const state = asRestored(store, before);
  const settings: Record<string, Managed> = {};
  for (const [key, record] of managedIn(state.settings)) {
    const { baseline, ...rest } = record;
    const known = store.baselines(state, key);
    if (!known.has(baseline as Value)) continue;
    const first = known.get(baseline as Value);
    // Skips a resource that adopted the device later: its baseline is this resource's value, so it knows no earlier
    // one.
    const isLater = first !== undefined && ourValues(record).includes(first);
    if (isLater && known.get(first) !== first) continue;
    settings[key] = { ...rest, ...defined({ baseline: first }) };
  }
  return { ...state, settings: { ...state.settings, ...settings } };
}

/**
 * The value of a setting from before our first update, if the given value is one of ours; otherwise the given value.
 * @returns undefined if it is not known
 */
export function knownBaseline(store: Store, device: DeviceRef, key: string, value: Value): Value | undefined {
  const known = [...store.baselines(device, key)].find(([own]) => isSame(own, value));
  if (known) return known[1];
  // Example: a kill after the first update, whose 77.4 kWh the service keeps as 77 kWh. Without this, 77 kWh would
  // become the baseline.
  const last = store.events(device, key).at(-1);
  const isRounded = Math.abs(Number(last?.new) - Number(value)) <= ROUNDING * Number(last?.new);
  return last?.event === "planned" && isRounded ? last.old : value;
}

/** Largest part by which a service rounds a value (our choice). A value that is further off is somebody else's. */
const ROUNDING = 0.01;
