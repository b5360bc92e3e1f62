import { MessageError } from "../../messages/message";
import { type DeviceRef, nameOf } from "../../service/device";
import { keepsDrift } from "../../settings/declaration";
import { fromDevice, keysOf, mistypedIn, type Values } from "../../settings/setting";
import {
  adjusted,
  driftInCache,
  keptValues,
  leavesStack,
  noSuchDevice,
  settingsLost,
  settingsMistyped,
} from "../run/messages";
import { noteKept, physicalDeviceOf, releaseUnrestored, reportSuccessor, withBaselines } from "./baselines";
import { type Call, readManaged } from "./call";
import { isKept, isOurs, type Kept, managedIn, type Records, refreshedBy, reportedOf } from "./record";
import type { State } from "./state";

/**
 * The state with live values. A setting that the service does not report keeps its last known value.
 * @returns undefined when the service no longer knows the device
 */
export async function refresh(call: Call, inState: State): Promise<State | undefined> {
  const before = withBaselines(call.store, inState);
  const state = await refreshDevice(call, before);
  if (!state) await loseDevice(call, before);
  return state;
}

/** The values of the cached read. @returns undefined when the service no longer knows the device */
export async function readKnown(call: Call, ref: DeviceRef): Promise<Values | undefined> {
  const device = await readManaged(call, ref);
  if (device) return fromDevice(call.kind, device);
  await call.service.confirmGone(ref);
  return undefined;
}

/** The values of the cached read. @throws Error if the service does not know the device, or it is of another type */
export async function readValues(call: Call, ref: DeviceRef): Promise<Values> {
  const device = await readManaged(call, ref);
  if (!device) throw new MessageError(noSuchDevice(ref));
  return fromDevice(call.kind, device);
}

/** The state of a device after a refresh; undefined if the service does not know it: then call `loseDevice`. */
export async function refreshDevice<S extends State>(call: Call, before: S): Promise<S | undefined> {
  const device = await readManaged(call, before, before.settings);
  if (!device) return undefined;
  const reported = fromDevice(call.kind, device);
  const lost = managedIn(before.settings).flatMap(([key, record]) =>
    reportedOf(record) !== undefined && reported[key] === undefined ? [key] : [],
  );
  const mistyped = mistypedIn(call.kind, device);
  const strange = lost.filter((key) => mistyped.includes(key));
  const missing = lost.filter((key) => !mistyped.includes(key));
  if (strange.length > 0) await call.warn(settingsMistyped(before, strange));
  if (missing.length > 0) await call.warn(settingsLost(before, missing));
  const settings = refreshed(before, reported, keysOf(call.kind));
  noteKept(call.store, { ...before, settings });
  await reportRead(call, before, settings, reported);
  return { ...before, ...physicalDeviceOf(call.store, before), settings };
}

/**
 * Reports values that a read has found, and that stay until the next refresh or update: somebody else's, and adjusted
 * ones. Without this, nobody would know that an update has read somebody else's value beside its own.
 * @param found their records
 */
export async function reportRead(call: Call, before: State, found: Records, reported: Values): Promise<void> {
  const isNew = (setting: string, record: Kept) => record.reported !== reportedOf(before.settings[setting]);
  await reportKept(call, { ...before, settings: found }, isNew);
  for (const [setting, record] of managedIn(found)) {
    const shown = reported[setting];
    if (record.status === "pending" && ![undefined, record.reported].includes(shown) && !isOurs(record, shown)) {
      await call.warn({ ...driftInCache(setting, shown, record.value), device: nameOf(before) });
    }
    if (record.status !== "adjusted" || before.settings[setting]?.status === "adjusted") continue;
    await call.warn(adjusted(before, { setting, sent: record.value, reported: record.reported }));
  }
}

/** Reports somebody else's values that stay from now on. */
export async function reportKept(
  { info }: Call,
  { settings, ...device }: State,
  isNew: (setting: string, record: Kept) => boolean,
): Promise<void> {
  const found = managedIn(settings).flatMap(([setting, record]) =>
    isKept(record) && isNew(setting, record) ? { setting, kept: record.reported, declared: record.value } : [],
  );
  if (found.length > 0) await info(keptValues(device, found));
}

/**
 * Reports the baselines that are lost with a device that the service does not know. @throws ServiceError if the
 * device may still exist
 */
export async function loseDevice(call: Call, before: State): Promise<void> {
  await call.service.confirmGone(before);
  await call.warn(leavesStack(before));
  await reportSuccessor(call, before);
  await releaseUnrestored(call, before);
}

/** The records of a device after a refresh. @param keys all settings of its kind */
export function refreshed(
  before: Pick<State, "settings" | "onDrift">,
  reported: Values,
  keys: readonly string[],
): Records {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const record = refreshedBy(reported[key], before.settings[key], { keeps: keepsDrift(before, key) });
      return record ? [[key, record]] : [];
    }),
  );
}
