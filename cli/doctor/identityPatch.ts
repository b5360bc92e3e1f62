import type { Recorder, Recording } from "../../provider/lifecycle/records";
import { findingOf, problemOf } from "../../provider/messages/message";
import type { DeviceService } from "../../provider/service/client";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { notOneOf } from "../../provider/settings/explain";
import { problemsOf } from "../../provider/settings/schema";
import { type DeviceKind, fromDevice, keysOf, toPatch, type Value, type Values } from "../../provider/settings/setting";
import { verify } from "../../provider/settings/verification";
import { AT_COMMAND_LINE } from "../environment";
import { type Check, failed, ok } from "./check";
import { failedBy } from "./reach";

const NAME = "identity PATCH";

const SAYS_NOTHING = "This says nothing about the name";

/** One present value that is to be sent again, or why there is none. */
export function plan(
  kind: DeviceKind,
  device: Readonly<Record<string, unknown>>,
  key: string,
): { readonly body: Record<string, Value> } | { readonly check: Check } {
  if (!keysOf(kind).includes(key)) {
    return {
      check: failed(NAME, `the key ${notOneOf(keysOf(kind), key)}`, "Give the key of a setting of this device"),
    };
  }
  const value = fromDevice(kind, device)[key];
  const wireName = kind.settings[key]?.wireName;
  if (value === undefined) {
    const advice =
      "There is no present value to send again. For an inverter, SOLAR_CHARGING_INVERTER_FIELDS says the name";
    return { check: failed(NAME, `the device does not report ${key} as ${wireName}`, advice) };
  }
  const [problem] = problemsOf(kind, { businessId: "any", deviceId: "any", [key]: value }, new Set());
  if (problem) {
    const advice = "The service may refuse it for its value: its answer would say nothing about the name";
    return { check: failed(NAME, `${key}: ${problem.reason}: nothing is sent`, advice) };
  }
  return { body: toPatch(kind, { [key]: value }) };
}

/** The client that sends the value, and the ledger that records each PATCH. */
export interface Sending {
  readonly service: DeviceService;
  readonly ledger: Recorder | undefined;
}

/**
 * Sends the value again, and reads the device once. Tells whether the service takes the name, as far as that shows.
 * Nothing is sent if the ledger cannot be written.
 */
export async function send(
  { service, ledger }: Sending,
  ref: DeviceRef,
  kind: DeviceKind,
  key: string,
  body: Values,
): Promise<Check> {
  const signal = new AbortController().signal;
  const [[wireName, value]] = Object.entries(body) as [[string, Value]];
  const values = { [key]: value };
  let recording: Recording | undefined;
  try {
    const unknown = { urn: undefined, urnOfRun: undefined };
    recording = ledger?.begin({ operation: "identity", device: ref, ...unknown, sent: values, old: values });
  } catch (error) {
    return failedBy(NAME, problemOf(error), SAYS_NOTHING);
  }
  try {
    await service.updateDevice(ref, body, signal);
  } catch (error) {
    await recording?.failed(error);
    if (!(error instanceof ServiceError)) throw error;
    return failureCheck(error, wireName);
  }
  recording?.accepted();
  const device = await service.readDevice(ref, signal).catch(() => undefined);
  const after = device && fromDevice(kind, device);
  await recording?.end(after && verify(values, after));
  if (after?.[key] === value) {
    const finding = `the service accepts ${wireName}, and shows the same value after it`;
    return ok(NAME, `${finding}. That it uses the name is not shown`);
  }
  if (!after)
    return failed(NAME, `the service accepted ${wireName}, and the read after it failed`, "Look at the device");
  const advice = "Look at the device: somebody else changed it, or the service takes the value for another thing";
  return failed(NAME, `the service accepted ${wireName}, and now shows another value`, advice);
}

/** Only an answer that the request is not understood is about the name. All others are reported as what they are. */
function failureCheck(error: ServiceError, wireName: string): Check {
  const { status, maybeApplied } = error;
  if (!maybeApplied && (status === 400 || status === 422)) {
    const finding = `the service refuses ${wireName}: ${findingOf(error.problem, AT_COMMAND_LINE)}`;
    return failed(NAME, finding, "Try another name");
  }
  return failedBy(NAME, error.problem, SAYS_NOTHING);
}
