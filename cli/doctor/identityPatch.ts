import type { Recording } from "../../provider/ledger/journal";
import { comparedWith } from "../../provider/lifecycle/device/record";
import { type Audience, problemOf, wordsOf } from "../../provider/messages/message";
import type { EngineRun } from "../../provider/run";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { notOneOf } from "../../provider/settings/explain";
import type { Properties } from "../../provider/settings/objects";
import { problemsOf } from "../../provider/settings/schema";
import { type DeviceKind, fromDevice, keysOf, toPatch, type Value, type Values } from "../../provider/settings/setting";
import { type Check, failed, failedBy, ok } from "./check";

const NAME = "identity PATCH";

const UNDECIDED = "This does not show whether the name is right";

/** The present value that can be sent again, or the check that explains why there is none. */
export function plan(
  kind: DeviceKind,
  device: Properties,
  key: string,
): { readonly body: Record<string, Value> } | { readonly check: Check } {
  if (!keysOf(kind).includes(key)) {
    return {
      check: failed(
        NAME,
        `the key ${notOneOf(keysOf(kind), key)}`,
        "Correct --identity-patch: name a setting of this device",
      ),
    };
  }
  const value = fromDevice(kind, device)[key];
  const wireName = kind.settings[key]?.wireName;
  if (value === undefined) {
    const advice =
      "So there is no value to send again. For an inverter, set another name in SOLAR_CHARGING_INVERTER_FIELDS";
    return { check: failed(NAME, `the device does not report ${key} as ${wireName}`, advice) };
  }
  const [problem] = problemsOf(kind, { businessId: "any", deviceId: "any", [key]: value }, new Set());
  if (problem) {
    const advice = "The service may refuse the value, so its answer would not show whether the name is right";
    return { check: failed(NAME, `nothing is sent: the reported ${key} ${problem.reason}`, advice) };
  }
  return { body: toPatch(kind, { [key]: value }) };
}

/**
 * Sends the value again, and reads the device once. Shows whether the service accepts the name. Sends nothing if the
 * ledger cannot be written.
 */
export async function send(
  { service: serviceOf, store, report }: EngineRun,
  ref: DeviceRef,
  kind: DeviceKind,
  { key, body }: { readonly key: string; readonly body: Values },
): Promise<Check> {
  const service = serviceOf();
  const signal = new AbortController().signal;
  const [[wireName, value]] = Object.entries(body) as [[string, Value]];
  let recording: Recording | undefined;
  try {
    // Without a program, the doctor does not know whether the setting is a secret.
    const changes = [{ key, old: value, new: value, secret: true }];
    // An update reads the file first, too. Without this, a line would be appended to a file that is not a ledger.
    store.journal.eventsOf(ref);
    recording = store.journal.begin({ operation: "identity", device: ref, urn: undefined, changes });
  } catch (error) {
    return failedBy(NAME, problemOf(error), report, UNDECIDED);
  }
  try {
    await service.updateDevice(ref, body, signal);
  } catch (error) {
    await recording?.failed(error);
    if (!(error instanceof ServiceError)) throw error;
    return failureCheck(error, wireName, report);
  }
  recording?.accepted();
  const device = await service.readDevice(ref, signal).catch(() => undefined);
  const after = device && fromDevice(kind, device);
  await recording?.end(after && { [key]: comparedWith(after[key], value, undefined).status });
  if (after?.[key] === value) {
    const finding = `the service accepts ${wireName}, and still reports the same value`;
    return ok(NAME, `${finding}. The service may still ignore the name`);
  }
  if (!after) return failed(NAME, `the service accepted ${wireName}, but the read after it failed`, "Check the device");
  const advice = "Check the device: somebody else changed it, or the service uses this name for another setting";
  return failed(NAME, `the service accepted ${wireName}, but now reports another value`, advice);
}

/** The check for a failed PATCH. Only HTTP 400 and 422 are about the name; other failures keep their own message. */
function failureCheck(error: ServiceError, wireName: string, audience: Audience): Check {
  const { status, maybeApplied } = error;
  if (!maybeApplied && (status === 400 || status === 422)) {
    const finding = `the service refuses ${wireName}: ${wordsOf(error.problem, audience).finding}`;
    return failed(NAME, finding, "Try another name");
  }
  return failedBy(NAME, error.problem, audience, UNDECIDED);
}
