import { inParallel } from "../../provider/lifecycle/pool";
import { readDevice } from "../../provider/lifecycle/reading";
import type { Run } from "../../provider/run";
import { ServiceError } from "../../provider/service/errors";
import type { Journal, Reading } from "./journal";
import type { Wanted } from "./wanted";

/** A device that could not be read, or is none that can be adopted, and why. */
export interface Failed {
  readonly device: Wanted;
  readonly reason: string;
}

export interface Readings {
  /** In the order of the list. */
  readonly read: readonly { readonly device: Wanted; readonly reading: Reading }[];
  readonly failed: readonly Failed[];
}

/**
 * The cached read of each device, as many at once as the configuration allows, but for those that the journal has.
 * @param onProgress told after each device how many are done
 * @throws ServiceError where the service accepts no token: every other device would fail alike
 */
export async function readAll(
  run: Run,
  wanted: readonly Wanted[],
  journal: Journal,
  onProgress: (done: number) => void,
): Promise<Readings> {
  let done = 0;
  let isStopped = false;

  async function task(device: Wanted): Promise<{ device: Wanted; result: Reading | string }> {
    const kept = journal.find(device);
    const result = kept ?? (await read(device));
    if (!kept && typeof result === "object") journal.add(result);
    onProgress(++done);
    return { device, result };
  }

  async function read({ businessId, deviceId }: Wanted): Promise<Reading | string> {
    try {
      const { devType: type, reported } = await readDevice(run, { businessId, deviceId });
      return { businessId, deviceId, type, reported: { ...reported } };
    } catch (error) {
      if (error instanceof ServiceError && error.isUnauthorized) {
        isStopped = true;
        throw error;
      }
      return (error as Error).message;
    }
  }

  const outcomes = await inParallel(wanted, run.configuration().maxConcurrency, task, () => isStopped);
  return {
    read: outcomes.flatMap(({ device, result }) => (typeof result === "object" ? [{ device, reading: result }] : [])),
    failed: outcomes.flatMap(({ device, result }) => (typeof result === "string" ? [{ device, reason: result }] : [])),
  };
}
