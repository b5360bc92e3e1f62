import { inParallel } from "../../provider/lifecycle/pool";
import { readDevice } from "../../provider/lifecycle/reading";
import type { Run } from "../../provider/run";
import { ServiceError } from "../../provider/service/errors";
import type { Values } from "../../provider/settings/setting";
import { textOfError } from "../environment";
import type { Listed } from "./devices";

/** The values that were read of a device: its settings, and nothing that identifies its owner. */
export interface Reading {
  /** The type that the device reports, if it does. */
  readonly type?: string | undefined;
  readonly reported: Values;
}

/** A device that could not be read, or that cannot be adopted, and why. */
export interface Failed {
  readonly device: Listed;
  readonly reason: string;
}

/** The outcomes of reads so far. */
export class Readings {
  readonly #outcomes = new Map<Listed, Reading | string>();

  /** @param devices in the order in which they are listed */
  constructor(readonly devices: readonly Listed[]) {}

  set(device: Listed, outcome: Reading | string): void {
    this.#outcomes.set(device, outcome);
  }

  get count(): number {
    return this.#outcomes.size;
  }

  get read(): { readonly device: Listed; readonly reading: Reading }[] {
    return this.devices.flatMap((device) => {
      const reading = this.#outcomes.get(device);
      return typeof reading === "object" ? [{ device, reading }] : [];
    });
  }

  get failed(): Failed[] {
    return this.devices.flatMap((device) => {
      const reason = this.#outcomes.get(device);
      return typeof reason === "string" ? [{ device, reason }] : [];
    });
  }
}

/**
 * The cached read of each device, as many at once as the configuration allows.
 * @param readings what takes the outcomes, also if this throws
 * @param onProgress called after each device with the number of devices that are done
 * @throws ServiceError if the service accepts no token: every other device would fail alike
 */
export async function readAll(run: Run, readings: Readings, onProgress: (done: number) => void): Promise<void> {
  let isStopped = false;

  async function read({ businessId, deviceId }: Listed): Promise<Reading | string> {
    try {
      const { devType: type, reported } = await readDevice(run, { businessId, deviceId });
      return { type, reported: { ...reported } };
    } catch (error) {
      if (error instanceof ServiceError && error.isUnauthorized) {
        isStopped = true;
        throw error;
      }
      return textOfError(error);
    }
  }

  async function task(device: Listed): Promise<void> {
    readings.set(device, await read(device));
    onProgress(readings.count);
  }

  await inParallel(readings.devices, run.configuration().maxConcurrency, task, () => isStopped);
}
