import { MessageError } from "../messages/message";
import type { DeviceRef, Metrics } from "../service/device";
import { idSchema } from "../settings/schema";
import type { GetDeviceArgs, GetDeviceResult } from "./deviceView";
import { badId, noSuchDevice, wakesCar } from "./messages";
import type { Run } from "./run";
import { viewOf } from "./viewOf";

/** Requests of a program stand for no resource, and nothing stops them. One each: Node 20 keeps a trace of each request. */
const unstopped = () => new AbortController().signal;

/** The cached read. @throws Error if the service does not know the device or cannot be reached */
export async function readDevice(run: Run, args: GetDeviceArgs): Promise<GetDeviceResult> {
  const ref = refOf(run, args);
  const device = await run.service().readDevice(ref, unstopped());
  if (!device) throw new MessageError(noSuchDevice(ref));
  return viewOf(ref, device, run.configuration().inverterFields ?? {});
}

/** @throws Error unless the program says that a car may wake up, in an update */
export function refuseWaking(allowWake: unknown, isPreview: boolean): void {
  if (allowWake !== true) throw new MessageError(wakesCar(false));
  if (isPreview) throw new MessageError(wakesCar(true));
}

/** The latest read, which can wake a car. @throws Error as `readDevice` */
export async function readLatestMetrics(run: Run, args: GetDeviceArgs): Promise<Metrics> {
  const ref = refOf(run, args);
  const metrics = await run.service().readLatestMetrics(ref, unstopped());
  if (!metrics) throw new MessageError(noSuchDevice(ref));
  return metrics;
}

/** @throws Error that names the id that cannot be sent */
function refOf(run: Run, args: GetDeviceArgs): DeviceRef {
  const { deviceId, businessId = run.configuration().businessId } = args;
  for (const [name, id] of Object.entries({ deviceId, businessId })) {
    const parsed = idSchema.safeParse(id);
    if (!parsed.success) throw new MessageError(badId(name, parsed.error.issues[0]?.message));
  }
  return { businessId: businessId as string, deviceId };
}
