import type { DeviceRef } from "../service/device";
import type { Value, Values } from "../settings/setting";
import { isOurs, type State, toId } from "./state";

/**
 * What is known of devices that a resource of this run gives up, for the resource that takes them over. Without it, two
 * resources that swap their devices would each take what the other one wrote for the baseline.
 */
export class Handover {
  readonly #offered = new Map<string, State>();

  /** Has to be called before the other resource reads the device: when the change is found. */
  offer(state: State): void {
    this.#offered.set(toId(state), state);
  }

  /**
   * The baseline of a device that another resource gives up.
   * @param values what the declared settings are now
   * @returns undefined if nobody gives it up
   */
  take(device: DeviceRef, values: Values): Values | undefined {
    const state = this.#offered.get(toId(device));
    if (!state) return undefined;
    const baseline: Record<string, Value> = { ...values };
    for (const [key, value] of Object.entries(values)) {
      if (!(key in state.values) || !isOurs(state, key, value)) continue;
      const before = state.baseline[key];
      if (before === undefined) delete baseline[key];
      else baseline[key] = before;
    }
    return baseline;
  }
}
