import { noSuchDevice } from "../../provider/lifecycle/call";
import type { ExaminedService } from "../../provider/service/client";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { inEnvironment } from "../environment";
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
    const [finding = "", advice = ""] = inEnvironment(noSuchDevice(ref)).split(/(?<=')\. /);
    return { checks: [ok(SERVICE, "answers"), skipped(TOKEN, "not refused"), failed(DEVICE, finding, advice)] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { checks: checksOf(error) };
  }
}

function checksOf(error: ServiceError): Check[] {
  const { status, isUnauthorized } = error;
  const [finding, advice] = findingAndAdvice(error);
  const untried = (name: string) => skipped(name, "not known: the read failed");
  if (status === undefined && !isUnauthorized)
    return [failed(SERVICE, finding, advice), untried(TOKEN), untried(DEVICE)];
  if (isUnauthorized || status === 403) {
    const service = status === undefined ? untried(SERVICE) : ok(SERVICE, "answers");
    return [service, failed(TOKEN, finding, advice), untried(DEVICE)];
  }
  return [failed(SERVICE, finding, advice), untried(TOKEN), untried(DEVICE)];
}

/** What failed, and what to do about it. */
export function findingAndAdvice({ finding, advice }: ServiceError): [string, string] {
  return [inEnvironment(finding), inEnvironment(advice)];
}
