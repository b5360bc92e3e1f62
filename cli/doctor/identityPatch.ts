import type { DeviceService } from "../../provider/service/client";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { notOneOf } from "../../provider/settings/explain";
import { problemsOf } from "../../provider/settings/schema";
import { type DeviceKind, fromDevice, keysOf, toPatch, type Value, type Values } from "../../provider/settings/setting";
import { inEnvironment } from "../environment";
import { type Check, failed, ok, skipped } from "./check";

const NAME = "identity PATCH";

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
    return { check: skipped(NAME, `the device does not report ${key} as ${wireName}`, advice) };
  }
  const [problem] = problemsOf(kind, { businessId: "any", deviceId: "any", [key]: value }, new Set());
  if (problem) {
    const advice = "The service may refuse it for its value: what it says would tell nothing of the name";
    return { check: skipped(NAME, `${key}: ${problem.reason}: nothing is sent`, advice) };
  }
  return { body: toPatch(kind, { [key]: value }) };
}

/** Sends the value again, and reads the device once. @returns whether the service takes the name, as far as that shows */
export async function send(
  service: DeviceService,
  ref: DeviceRef,
  kind: DeviceKind,
  key: string,
  body: Values,
): Promise<Check> {
  const signal = new AbortController().signal;
  const wireName = Object.keys(body)[0] as string;
  try {
    await service.updateDevice(ref, body, signal);
    const device = await service.readDevice(ref, signal);
    const after = device && fromDevice(kind, device)[key];
    if (after === body[wireName]) {
      return ok(
        NAME,
        `the service accepts ${wireName}, and shows the same value after it. That it uses the name is not shown`,
      );
    }
    const advice = "Look at the device: somebody else changed it, or the service takes the value for another thing";
    return failed(NAME, `the service accepted ${wireName}, and now shows another value`, advice);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const refused = error.operation === "update" && error.status !== undefined && error.status < 500;
    const finding = refused ? `the service refuses ${wireName}: ${error.message}` : error.message;
    return failed(
      NAME,
      inEnvironment(finding),
      refused ? "Try another name" : "Try again: this tells nothing of the name",
    );
  }
}
