import { noSuchDevice } from "../lifecycle/run/messages";
import type { Run } from "../lifecycle/run/run";
import { MessageError } from "../messages/message";
import type { DeviceRef } from "../service/device";
import { idSchema } from "../settings/schema";
import type { GetDeviceResult } from "./deviceView";
import { badId, wakesCar } from "./messages";
import { viewOf } from "./viewOf";

/** The parts of a run that the functions `getDevice` and `getLatestMetrics` need. */
type Reader = Pick<Run, "configuration" | "service">;

/**
 * A new signal that never aborts, because the requests of a program belong to no resource. A shared signal would grow:
 * Node 20 keeps a trace of each request in it.
 */
const unstopped = () => new AbortController().signal;

/** The ids that a program gives a function. Only TypeScript has checked them, if anything has. */
interface GivenIds {
  readonly deviceId?: unknown;
  readonly businessId?: unknown;
}

/** The cached read. @throws Error if the service does not know the device or cannot be reached */
export async function readDevice(run: Reader, args: GivenIds): Promise<GetDeviceResult> {
  const ref = refOf(run, args);
  const device = await run.service().readDevice(ref, unstopped());
  if (!device) throw new MessageError(noSuchDevice(ref));
  return viewOf(ref, device, run.configuration().inverterFields ?? {});
}

/** A latest read in a program. */
interface WakingRead extends GivenIds {
  readonly allowWake?: unknown;
  readonly isPreview: boolean;
}

/**
 * The latest read, which can wake a car.
 * @throws Error in a preview, unless the program allows waking a car, and as `readDevice`
 */
export async function readLatestMetrics(run: Reader, { allowWake, isPreview, ...args }: WakingRead) {
  if (allowWake !== true || isPreview) throw new MessageError(wakesCar(allowWake === true));
  const ref = refOf(run, args);
  const metrics = await run.service().readLatestMetrics(ref, unstopped());
  if (!metrics) throw new MessageError(noSuchDevice(ref));
  return metrics;
}

/** @throws Error that names an invalid id */
function refOf(run: Reader, args: GivenIds): DeviceRef {
  const { deviceId, businessId = run.configuration().businessId } = args;
  for (const [name, id] of Object.entries({ deviceId, businessId })) {
    const parsed = idSchema.safeParse(id);
    if (!parsed.success) throw new MessageError(badId(name, parsed.error.issues[0]?.message));
  }
  return { businessId, deviceId } as DeviceRef;
}
