import { noSuchDevice } from "../../provider/lifecycle/messages";
import { adviceOf, findingOf, type Message } from "../../provider/messages/message";
import type { ExaminedService } from "../../provider/service/client";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { AT_COMMAND_LINE } from "../environment";
import { type Check, failed, ok, skipped } from "./check";

/** The findings of one cached read, and its answer; absent if it gave none. */
export interface Reached {
  readonly checks: readonly Check[];
  readonly device?: Readonly<Record<string, unknown>>;
}

const SERVICE = "service";
const TOKEN = "token";
const DEVICE = "device";

/** Checks of the service, the token and the device by one cached read, which is tried once. */
export async function reach(service: ExaminedService, ref: DeviceRef): Promise<Reached> {
  try {
    const device = await service.readObject(ref, new AbortController().signal);
    const reached = [ok(SERVICE, "answers"), ok(TOKEN, "accepted")];
    if (device) return { checks: [...reached, ok(DEVICE, `'${ref.deviceId}' is there`)], device };
    const unknown = failedBy(DEVICE, noSuchDevice(ref));
    return { checks: [ok(SERVICE, "answers"), skipped(TOKEN, "not refused"), unknown] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { checks: checksOf(error) };
  }
}

function checksOf({ status, isUnauthorized, problem }: ServiceError): Check[] {
  const untried = (name: string) => skipped(name, "not known: the read failed");
  if (isUnauthorized || status === 403) {
    const service = status === undefined ? untried(SERVICE) : ok(SERVICE, "answers");
    return [service, failedBy(TOKEN, problem), untried(DEVICE)];
  }
  return [failedBy(SERVICE, problem), untried(TOKEN), untried(DEVICE)];
}

/** What failed, and what to do about it. @param beside what this says nothing about */
export function failedBy(name: string, message: Message, beside?: string): Check {
  const advice = [adviceOf(message, AT_COMMAND_LINE), beside].filter(Boolean).join(". ");
  return failed(name, findingOf(message, AT_COMMAND_LINE), advice);
}
