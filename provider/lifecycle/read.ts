import { MessageError } from "../messages/message";
import type { Device, DeviceRef } from "../service/device";
import { fromDevice, omit, pick, type Values } from "../settings/setting";
import { verify } from "../settings/verification";
import { reportUnmanaged } from "./baselines";
import { type Call, readDeviceOfKind } from "./call";
import { leavesStack, noSuchDevice, settingsLost } from "./messages";
import { fromId, fromOutputs, isOurs, type Properties, type State, toId, toInputs, toOutputs } from "./state";

export interface Read {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/**
 * Shows live values for what is declared; what the service does not report keeps its last known value.
 * Of a resource that is only read (`VehicleSettings.get`) everything that is reported is shown.
 * @returns undefined when the service no longer knows the device
 */
export async function read(call: Call, id: string, outputs: Properties): Promise<Read | undefined> {
  const ref = fromId(id);
  if (isOwned(outputs)) {
    const before = { ...fromOutputs(call.kind, outputs), ...ref };
    const state = await refreshDevice(call, before);
    if (!state) await loseDevice(call, before);
    return state && { id: toId(ref), inputs: toInputs(state), outputs: toOutputs(state) };
  }
  const device = await readDeviceOfKind(call, ref);
  // Without outputs a program asks for the device, which it takes to be there.
  if (!device && !("reported" in outputs)) throw new MessageError(noSuchDevice(ref));
  if (!device) await call.service.confirmGone(ref);
  if (!device) return undefined;
  const reported = fromDevice(call.kind, device);
  const inputs = toInputs({ ...ref, values: reported });
  return { id: toId(ref), inputs, outputs: { ...inputs, reported } };
}

/** The cached read of a declared device. @throws Error if the service does not know it, or it is of another type */
export async function readExisting(call: Call, ref: DeviceRef): Promise<Device> {
  const device = await readDeviceOfKind(call, ref);
  if (!device) throw new MessageError(noSuchDevice(ref));
  return device;
}

/** A device as a refresh finds it; undefined if the service does not know it: then `loseDevice` has to follow. */
export async function refreshDevice(call: Call, before: State): Promise<State | undefined> {
  const device = await readDeviceOfKind(call, before);
  if (!device) return undefined;
  const reported = fromDevice(call.kind, device);
  await warnOfLosses(call, before, reported);
  return refreshed(before, reported);
}

/** Reports what leaves the stack with a device that the service does not know. @throws ServiceError if that may be wrong */
export async function loseDevice(call: Call, before: State): Promise<void> {
  await call.service.confirmGone(before);
  await call.warn(leavesStack(before));
  await reportUnmanaged(call, before, before.baseline);
}

/** Says which settings a refresh no longer finds. */
async function warnOfLosses(call: Call, before: State, reported: Values): Promise<void> {
  const lost = Object.keys(before.values).filter((key) => key in before.reported && !(key in reported));
  if (lost.length > 0) await call.warn(settingsLost(before, lost));
}

/** Whether these are the outputs of a resource that was created; one that is only read has no baseline. */
function isOwned(outputs: Properties): boolean {
  return outputs.baseline !== undefined;
}

/** A device as a refresh finds it, that shows these settings. */
export function refreshed(before: State, reported: Values): State {
  // An adjusted value is no drift while it stays the same. Otherwise every `up` would send it again.
  const adjusted = Object.keys(before.values).filter(
    (key) => before.verification[key] === "adjusted" && reported[key] === before.reported[key],
  );
  const shown = omit(pick(reported, Object.keys(before.values)), adjusted);
  const values = { ...before.values, ...shown };
  const keys = Object.keys(values);
  const foreign = keys.filter((key) => key in reported && !isOurs(before, key, reported[key]));
  // An update of unknown outcome counts as accepted once its value is seen; not if another value of ours was accepted
  // before it and the cache shows what it showed then: it may be behind both.
  const isBehind = (key: string) => key in before.written && reported[key] === before.reported[key];
  const isSeen = (key: string) => before.attempted[key]?.some((value) => value === reported[key]) && !isBehind(key);
  const accepted = keys.filter((key) => key in before.verification || isSeen(key));
  const unsettled = keys.filter((key) => !accepted.includes(key));
  return {
    ...before,
    values,
    reported,
    written: { ...pick(before.written, unsettled), ...pick({ ...before.values, ...before.written }, foreign) },
    attempted: pick(before.attempted, unsettled),
    verification: verify(pick(values, accepted), reported, { ...before, isSent: () => false }),
  };
}
