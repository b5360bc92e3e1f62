import type { DeviceRef } from "./device";

/**
 * Which device an answer is about. A late answer on a kept connection, or a proxy that mixes up answers, would else make
 * another device's values the baseline of this one, and `restore` would write them.
 */
export class Identities {
  /** The device that each `id` first answered for. */
  readonly #devices = new Map<unknown, string>();

  /** @returns the other device that `metadata.dev_id` names; undefined if it names this one or none */
  otherNamedIn(answer: object, { deviceId }: DeviceRef): string | undefined {
    const { metadata } = answer as { metadata?: { dev_id?: unknown } | null };
    const named = metadata?.dev_id;
    return typeof named === "string" && named !== "" && named !== deviceId ? named : undefined;
  }

  /** @returns the other device that the `id` of a device object answered for; undefined if it answered for none */
  otherOfId(object: object, { deviceId }: DeviceRef): string | undefined {
    const { id } = object as { id?: unknown };
    if (typeof id !== "string" || id === "") return undefined;
    const first = this.#devices.get(id) ?? deviceId;
    this.#devices.set(id, first);
    return first === deviceId ? undefined : first;
  }
}
