import { nameOf } from "../../provider/service/device";
import { extractOf } from "../../provider/service/extract";
import { inverter } from "../../provider/settings/inverter";
import { vehicle } from "../../provider/settings/vehicle";
import type { Adopted } from "./look";
import type { Failed, Readings } from "./readings";

/** Devices by whether they are of a kind that can be declared. */
export interface Sorted {
  readonly adopted: readonly Adopted[];
  readonly failed: readonly Failed[];
  /** The types that count as an inverter's because they are no vehicle's, each with how many devices show it. */
  readonly supposed: ReadonlyMap<string, number>;
}

/** The client has removed them from its answers. */
const NO_SECRETS: ReadonlySet<string> = new Set();

/**
 * Finds the kind of each device: the one in the list, else the one of its type. The service does not document the type
 * of an inverter, so each type that is not a vehicle's counts as one.
 */
export function sortByKind(read: Readings["read"]): Sorted {
  const adopted: Adopted[] = [];
  const failed: Failed[] = [];
  const supposed = new Map<string, number>();
  for (const { device, reading } of read) {
    const { type } = reading;
    const shown = extractOf(String(type), NO_SECRETS);
    const kind = device.kind ?? (type === undefined ? undefined : vehicle.accepts(type) ? vehicle : inverter);
    const name = nameOf(device);
    if (!kind) {
      failed.push({
        device,
        reason: `${name} shows no type: list it in a CSV file with a column kind, which says vehicle or inverter`,
      });
    } else if (type !== undefined && !kind.accepts(type)) {
      failed.push({
        device,
        reason: `${name} is of type '${shown}', which is no ${kind.name}'s: correct its kind in the list`,
      });
    } else {
      adopted.push({ device, kind, reading });
      if (kind === inverter && !device.kind) supposed.set(shown, (supposed.get(shown) ?? 0) + 1);
    }
  }
  return { adopted, failed, supposed };
}
