import { namesOf } from "../configuration/configuration";
import type { Run } from "../run";
import type { DeviceRef, Metrics } from "../service/device";
import { idSchema } from "../settings/schema";
import { noSuchDevice } from "./call";
import type { GetDeviceArgs, GetDeviceResult } from "./deviceView";
import { viewOf } from "./viewOf";

/** Requests of a program stand for no resource, and nothing stops them. One each: Node 20 keeps a trace of each request. */
const unstopped = () => new AbortController().signal;

/** The cached read. @throws Error where the service does not know the device or cannot be asked */
export async function readDevice(run: Run, args: GetDeviceArgs): Promise<GetDeviceResult> {
  const ref = refOf(run, args);
  const device = await run.service().readDevice(ref, unstopped());
  if (!device) throw new Error(noSuchDevice(ref));
  return viewOf(ref, device, run.configuration().inverterFields ?? {});
}

/** @throws Error unless the program says that a car may wake up, in an update */
export function refuseWaking(allowWake: unknown, isPreview: boolean): void {
  const danger = "getLatestMetrics can wake the car, which drains its 12 V battery";
  if (allowWake !== true) throw new Error(`${danger}: read with getDevice, or give allowWake: true`);
  if (isPreview) throw new Error(`${danger}, and is not called in a preview: skip it there`);
}

/** The latest read, which can wake a car. @throws Error as `readDevice` */
export async function readLatestMetrics(run: Run, args: GetDeviceArgs): Promise<Metrics> {
  const ref = refOf(run, args);
  const metrics = await run.service().readLatestMetrics(ref, unstopped());
  if (!metrics) throw new Error(noSuchDevice(ref));
  return metrics;
}

/** @throws Error that names the id that cannot be sent */
function refOf(run: Run, args: GetDeviceArgs): DeviceRef {
  const { deviceId, businessId = run.configuration().businessId } = args;
  for (const [name, id] of Object.entries({ deviceId, businessId })) {
    const parsed = idSchema.safeParse(id);
    const where = name === "businessId" ? `: give it here, or set ${namesOf("businessId")}` : "";
    if (!parsed.success) throw new Error(`${name} ${parsed.error.issues[0]?.message}${where}`);
  }
  return { businessId: businessId as string, deviceId };
}
