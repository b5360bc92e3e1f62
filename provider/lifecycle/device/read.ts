import { MessageError } from "../../messages/message";
import type { Device, DeviceRef } from "../../service/device";
import { fromDevice, keysOf, type Values } from "../../settings/setting";
import { fromId, toId } from "../run/ids";
import { leavesStack, noSuchDevice, settingsLost } from "../run/messages";
import { leaveUnrestored, withOriginals } from "./baselines";
import { type Call, readDeviceOfKind } from "./call";
import { managedIn, type Records, refreshedBy, reportedOf } from "./record";
import { fromOutputs, inputsOf, isOwned, type Properties, type State, toOutputs } from "./state";

export interface Read {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/**
 * Shows live values of the declared settings. A setting that the service does not report keeps its last known value. A
 * resource that is only read (`VehicleSettings.get`) shows all reported settings.
 * @returns undefined when the service no longer knows the device
 */
export async function read(call: Call, id: string, outputs: Properties): Promise<Read | undefined> {
  const ref = fromId(id);
  if (isOwned(outputs)) {
    const before = withOriginals(call, { ...fromOutputs(call.kind, outputs), ...ref });
    const state = await refreshDevice(call, before);
    if (!state) await loseDevice(call, before);
    return state && { id: toId(ref), inputs: inputsOf(state), outputs: toOutputs(state) };
  }
  const device = await readDeviceOfKind(call, ref);
  if (!device) {
    // Without outputs, this is the `get` of a program, which needs the device to exist.
    if (outputs.deviceId === undefined) throw new MessageError(noSuchDevice(ref));
    await call.service.confirmGone(ref);
    return undefined;
  }
  const shown = { ...ref, ...fromDevice(call.kind, device) };
  return { id: toId(ref), inputs: shown, outputs: shown };
}

/** The cached read of a declared device. @throws Error if the service does not know it, or it is of another type */
export async function readExisting(call: Call, ref: DeviceRef): Promise<Device> {
  const device = await readDeviceOfKind(call, ref);
  if (!device) throw new MessageError(noSuchDevice(ref));
  return device;
}

/** The state of a device after a refresh; undefined if the service does not know it: then call `loseDevice`. */
export async function refreshDevice(call: Call, before: State): Promise<State | undefined> {
  const device = await readDeviceOfKind(call, before);
  if (!device) return undefined;
  const reported = fromDevice(call.kind, device);
  const lost = managedIn(before.settings).flatMap(([key, record]) =>
    reportedOf(record) !== undefined && reported[key] === undefined ? [key] : [],
  );
  if (lost.length > 0) await call.warn(settingsLost(before, lost));
  return { ...before, settings: refreshed(before.settings, reported, keysOf(call.kind)) };
}

/**
 * Reports the baselines that are lost with a device that the service does not know. @throws ServiceError if the
 * device may still exist
 */
export async function loseDevice(call: Call, before: State): Promise<void> {
  await call.service.confirmGone(before);
  await call.warn(leavesStack(before));
  await leaveUnrestored(call, before);
}

/** The records of a device after a refresh. @param keys all settings of its kind */
export function refreshed(before: Records, reported: Values, keys: readonly string[]): Records {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const record = refreshedBy(reported[key], before[key]);
      return record ? [[key, record]] : [];
    }),
  );
}
