import { type DeviceKind, differingKeys } from "../settings/setting";
import type { Handover } from "./handover";
import { acceptedValues, fromInputs, fromOutputs, type Properties } from "./state";

export interface Difference {
  readonly changes: boolean;
  /** Inputs whose change means another device. */
  readonly replaces: readonly string[];
}

/**
 * Compares what is declared with what is known of the device, without a request. Only declared keys count.
 * @param handover gets the device if the resource gives it up
 */
export function diff(kind: DeviceKind, olds: Properties, news: Properties, handover?: Handover): Difference {
  const before = fromOutputs(kind, olds);
  const after = fromInputs(kind, news);
  const replaces = (["businessId", "deviceId"] as const).filter((key) => before[key] !== after[key]);
  const changes =
    replaces.length > 0 ||
    differingKeys(after.values, acceptedValues(before)).length > 0 ||
    Object.keys(before.values).some((key) => !(key in after.values)) ||
    (before.onDelete ?? "retain") !== (after.onDelete ?? "retain");
  if (replaces.length > 0) handover?.offer(before);
  return { changes, replaces };
}
