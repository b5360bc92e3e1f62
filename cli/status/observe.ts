import { inParallel } from "../../provider/lifecycle/pool";
import { viewOf } from "../../provider/lifecycle/viewOf";
import type { Run } from "../../provider/run";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { fullNameOf } from "../fullName";
import type { Finding } from "./deviceStatus";

/**
 * The cached read of each device, once, as many at a time as the configuration allows.
 * @param onProgress called after each device
 * @throws Error if the service cannot be asked at all, as it accepts no token
 */
export async function observe(
  run: Run,
  devices: readonly DeviceRef[],
  onProgress: () => void,
): Promise<Map<string, Finding>> {
  const { inverterFields = {}, maxConcurrency } = run.configuration();
  const service = run.service();
  const found = new Map<string, Finding>();
  let refusal: ServiceError | undefined;
  const task = async (ref: DeviceRef) => {
    try {
      const device = await service.readDevice(ref, new AbortController().signal);
      const finding = "the service does not know it: check deviceId, businessId and the service's address";
      found.set(
        fullNameOf(ref),
        device ? { view: viewOf(ref, device, inverterFields) } : { problem: { code: "gone", finding } },
      );
    } catch (error) {
      if (error instanceof ServiceError && error.isUnauthorized) refusal = error;
      found.set(fullNameOf(ref), { problem: { code: "unread", finding: reasonOf(error) } });
    }
    onProgress();
  };
  const unique = new Map(devices.map((ref) => [fullNameOf(ref), ref]));
  await inParallel([...unique.values()], maxConcurrency, task, () => refusal !== undefined);
  if (refusal) throw refusal;
  return found;
}

/** Why a device could not be read, without its name, which is shown beside it. */
function reasonOf(error: unknown): string {
  return error instanceof ServiceError ? `${error.reason}. ${error.advice}` : (error as Error).message;
}
