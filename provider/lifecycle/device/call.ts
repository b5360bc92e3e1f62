import type { Writer } from "../../ledger/events";
import { changesOf, type Recording, resultOf } from "../../ledger/journal";
import type { Store } from "../../ledger/store";
import { MessageError, problemOf } from "../../messages/message";
import type { DeviceService } from "../../service/client";
import { type Device, type DeviceRef, deviceTypeOf, fingerprintOf } from "../../service/device";
import { type DeviceKind, toPatch, type Values } from "../../settings/setting";
import { otherKind, sameDevice, uncertain } from "../run/messages";
import type { Report } from "../run/run";
import { type Records, reportedOf } from "./record";
import type { State } from "./state";

export type Operation = "create" | "update" | "read" | "delete";

/** The parts of a call that are needed to stop managing a setting. */
export interface Releasing extends Writer {
  readonly operation: Operation;
  readonly store: Store;
  readonly info: Report;
  readonly warn: Report;
}

/** The context of one operation of a device. */
export interface Call extends Releasing {
  /** The kind of the device, with the configured wire names. */
  readonly kind: DeviceKind;
  readonly service: Omit<DeviceService, "readObject" | "readLatestMetrics">;
  /** Longest wait for a stale cache after an update, in seconds. */
  readonly verifyTimeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Notes the values that were sent, for the report of an operation on a site. */
  readonly onSend?: ((device: DeviceRef, sent: Values) => void) | undefined;
}

/** The parts of a call that a read needs. */
type DeviceReader = Pick<Call, "kind" | "signal"> & { readonly service: Pick<DeviceService, "readDevice"> };

/**
 * The cached read of a device of the call's kind; undefined when the service does not know the device.
 * @param known the records of earlier reads
 * @throws Error when the device reports another type
 */
export async function readDeviceOfKind(
  { kind, service, signal }: DeviceReader,
  ref: DeviceRef,
  known?: Records,
): Promise<Device | undefined> {
  const device = await service.readDevice(ref, signal, { shape: shapeOf(kind, known) });
  const type = device && deviceTypeOf(device);
  if (type === undefined || kind.accepts(type)) return device;
  throw new MessageError(otherKind(ref, type, kind));
}

/** The object of an inverter is not documented: until a read has shown a setting, any object counts. */
function shapeOf({ isDocumented }: DeviceKind, known?: Records) {
  if (isDocumented) return "car";
  return known && Object.values(known).every((record) => reportedOf(record) === undefined) ? "any" : "device";
}

/**
 * The cached read of a device that is or will be managed, as `readDeviceOfKind`. It tells the user if the device is the
 * same car or inverter as one that left.
 */
export async function readManaged(call: Call, ref: DeviceRef, known?: Records): Promise<Device | undefined> {
  const device = await readDeviceOfKind(call, ref, known);
  const fingerprint = device && fingerprintOf(ref, device);
  const was = fingerprint === undefined ? undefined : call.store.physical.read(ref, fingerprint);
  if (was) await call.info(sameDevice(ref, was));
  return device;
}

/**
 * Sends values to a device, and records them for the outcome of the operation, and in the ledger, if there is one. A
 * value that did not leave this machine, because nobody has approved it or there is no token, does not count as sent.
 * @param old the values of the keys, as far as they are known
 * @returns the update in the ledger, which is not read back yet
 * @throws Error if it is not accepted, or the ledger cannot be written; then nothing is sent
 */
export async function send(call: Call, device: DeviceRef, sent: Values, old: Values): Promise<Recording | undefined> {
  const { operation, kind, urn, isSecret } = call;
  const changes = changesOf(sent, old, isSecret);
  const recording = call.store.journal.begin({ operation, device, urn, changes });
  try {
    await call.service.updateDevice(device, toPatch(kind, sent), call.signal);
  } catch (error) {
    if (resultOf(error)) call.onSend?.(device, sent);
    await recording?.failed(error);
    throw error;
  }
  call.onSend?.(device, sent);
  recording?.accepted();
  return recording;
}

/** Whether a failed update has certainly not changed the device. */
export function isUnsent(error: unknown): boolean {
  return Object(error).maybeApplied === false;
}

/**
 * An error about a sent update of unknown outcome. `state` keeps the known records, especially the baselines, for the
 * next run.
 */
export class UncertainError extends MessageError {
  override readonly name = "UncertainError";

  constructor(
    readonly state: State,
    override readonly cause: Error,
    code: "uncertain" | "uncertainDelete" = "uncertain",
  ) {
    super(uncertain(code, problemOf(cause)));
  }
}
