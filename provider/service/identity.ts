import { type DeviceRef, devicePath } from "./device";

/**
 * Finds answers about another device. Late answers on a kept connection, or a faulty proxy, can cause them. Without
 * this, another device's values would become the baseline of this one, and `restore` would write them.
 */
export class Identities {
  /** The device that each `id` first answered for. */
  readonly #devices = new Map<string, DeviceRef>();
  /** The `id` that each device first answered with, by its path. */
  readonly #ids = new Map<string, string>();
  /** The names of the devices that this run has asked for. */
  readonly #asked = new Set<string>();

  /** Must be called before a request for a device. */
  ask({ deviceId }: DeviceRef): void {
    this.#asked.add(deviceId);
  }

  /** @returns the other device that `metadata.dev_id` names; undefined if it names this one or none */
  otherNamedIn(answer: object, { deviceId }: DeviceRef): string | undefined {
    const { metadata } = answer as { metadata?: { dev_id?: unknown } | null };
    const named = metadata?.dev_id;
    return typeof named === "string" && named !== "" && named !== deviceId ? named : undefined;
  }

  /**
   * @returns undefined if the `id` of a device object can be that of this device. Otherwise the reason: the id is the
   * name of another device of the run, another device has answered with it before, or this device has answered with
   * another one before
   */
  foreignId(object: object, device: DeviceRef): string | undefined {
    const { id } = object as { id?: unknown };
    if (typeof id !== "string" || id === "") return undefined;
    const path = devicePath(device);
    const isOwnName = id === device.deviceId;
    if (!isOwnName && this.#asked.has(id)) return `'${id}'`;
    const first = this.#devices.get(id);
    if (!isOwnName && first && first.deviceId !== device.deviceId) {
      return `whose id answered earlier for '${first.deviceId}'`;
    }
    const before = this.#ids.get(path);
    if (before !== undefined && before !== id) return `whose id is '${id}', and was '${before}' earlier`;
    this.#devices.set(id, first ?? device);
    this.#ids.set(path, id);
    return undefined;
  }
}
