import { MessageError } from "../messages/message";
import type { DeviceService } from "../service/client";
import { type Device, type DeviceRef, deviceTypeOf } from "../service/device";
import type { DeviceKind, Values } from "../settings/setting";
import type { Claims } from "./claims";
import type { Handover } from "./handover";
import { otherKind } from "./messages";
import type { Journal, Recorder, Recording } from "./records";
import type { Report } from "./run";

export type Operation = "create" | "update" | "read" | "delete";

/** The context of one operation of a device. */
export interface Call {
  readonly operation: Operation;
  /** With the wire names of the configuration. */
  readonly kind: DeviceKind;
  readonly service: DeviceService;
  readonly claims: Claims;
  readonly handover: Handover;
  readonly ledger: Recorder | undefined;
  /** Where baselines are written down before the first update; undefined if there is no file for them. */
  readonly journal: Journal | undefined;
  readonly warn: Report;
  readonly info: Report;
  /** How long a stale cache is waited for after an update, in seconds. */
  readonly verifyTimeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** As much of a call as a read needs. */
type DeviceReader = Pick<Call, "kind" | "signal"> & { readonly service: Pick<DeviceService, "readDevice"> };

/**
 * The cached read of a device of the call's kind; undefined when the service does not know the device.
 * @throws Error when the device reports another type
 */
export async function readDeviceOfKind(
  { kind, service, signal }: DeviceReader,
  ref: DeviceRef,
): Promise<Device | undefined> {
  const device = await service.readDevice(ref, signal);
  const type = device && deviceTypeOf(device);
  if (type === undefined || kind.accepts(type)) return device;
  throw new MessageError(otherKind(ref, type, kind));
}

/**
 * Records the next update in the ledger, if there is one.
 * @param old what the keys are, as far as is known
 * @throws Error if it cannot: then nothing may be sent
 */
export function recordUpdate(call: Call, device: DeviceRef, sent: Values, old: Values): Recording | undefined {
  const { operation, claims } = call;
  const [key = ""] = Object.keys(sent);
  // A delete does not know its resource, and another resource may declare the device now.
  const urn = operation === "delete" ? undefined : claims.urnOf(device, key);
  return call.ledger?.begin({ operation, device, urn, urnOfRun: claims.anyUrn, sent, old });
}
