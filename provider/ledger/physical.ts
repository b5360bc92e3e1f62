import type { DeviceRef } from "../service/device";
import { idOf } from "./ledgerLine";

/**
 * The devices of a run by fingerprint. A car that is linked to the service again gets a new id. Without this, nobody
 * would see that the new device is the old car, and needs its baselines.
 */
export class PhysicalDevices {
  /** The device that a read showed last, by fingerprint. */
  readonly #present = new Map<string, DeviceRef>();
  /** The device that left the state, or that the service no longer knows. */
  readonly #left = new Map<string, DeviceRef>();
  /** The fingerprint that the last read of each device showed. */
  readonly #fingerprints = new Map<string, string>();

  /** Notes a device that was read. @returns the device that left and was the same car or inverter */
  read(device: DeviceRef, fingerprint: string): DeviceRef | undefined {
    this.#fingerprints.set(idOf(device), fingerprint);
    this.#present.set(fingerprint, device);
    return otherThan(device, this.#left.get(fingerprint));
  }

  /** Notes a device that leaves. @returns the device that is the same car or inverter now */
  leave(device: DeviceRef, fingerprint: string): DeviceRef | undefined {
    this.#left.set(fingerprint, device);
    return otherThan(device, this.#present.get(fingerprint));
  }

  /** The fingerprint of a device that this run has read. */
  of(device: DeviceRef): string | undefined {
    return this.#fingerprints.get(idOf(device));
  }
}

function otherThan(device: DeviceRef, other: DeviceRef | undefined): DeviceRef | undefined {
  return other?.deviceId === device.deviceId ? undefined : other;
}
