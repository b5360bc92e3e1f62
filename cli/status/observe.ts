import { inParallel } from "../../provider/lifecycle/pool";
import { viewOf } from "../../provider/lifecycle/viewOf";
import { inGeneral, problemOf, textOf } from "../../provider/messages/message";
import type { Run } from "../../provider/run";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { fullNameOf } from "../fullName";
import type { Finding } from "./deviceStatus";

/**
 * The cached read of each device, once, as many at a time as the configuration allows.
 * @param onProgress called after each device
 * @throws ServiceError if the service accepts no token: every other device would fail alike
 */
export async function observe(
  run: Run,
  devices: readonly DeviceRef[],
  onProgress: () => void,
): Promise<Map<string, Finding>> {
  const { inverterFields = {}, maxConcurrency } = run.configuration();
  const service = run.service();
  const found = new Map<string, Finding>();
  const unknown: DeviceRef[] = [];
  let refusal: ServiceError | undefined;
  const task = async (ref: DeviceRef) => {
    try {
      const device = await service.readDevice(ref, new AbortController().signal);
      if (device) found.set(fullNameOf(ref), { view: viewOf(ref, device, inverterFields) });
      else unknown.push(ref);
    } catch (error) {
      if (error instanceof ServiceError && error.isUnauthorized) refusal = error;
      found.set(fullNameOf(ref), unread(error));
    }
    onProgress();
  };
  const unique = new Map(devices.map((ref) => [fullNameOf(ref), ref]));
  await inParallel([...unique.values()], maxConcurrency, task, () => refusal !== undefined);
  if (refusal) throw refusal;
  for (const ref of unknown) found.set(fullNameOf(ref), await goneOrUnread(service, ref));
  return found;
}

/** Behind a wrong address no device is known, and none is gone. */
async function goneOrUnread(service: ReturnType<Run["service"]>, ref: DeviceRef): Promise<Finding> {
  try {
    await service.confirmGone(ref);
    return { problem: { code: "gone", finding: "the service does not know it: check deviceId and businessId" } };
  } catch (error) {
    return unread(error);
  }
}

/** Why a device could not be read, without its name, which is shown beside it. */
function unread(error: unknown): Finding {
  return { problem: { code: "unread", finding: textOf(inGeneral(problemOf(error)), { isBesideDevice: true }) } };
}
