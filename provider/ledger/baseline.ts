import type { Value, Values } from "../settings/setting";
import type { SettingEvent } from "./events";

/** The value that a setting had before our first update. */
interface Baseline {
  /** Absent if the service did not report it. */
  readonly value?: Value;
}

/**
 * The values that the provider may have written to a setting, each with its baseline.
 * @param events the events of the setting, in order
 */
export function baselinesByValue(events: readonly SettingEvent[]): ReadonlyMap<Value, Baseline> {
  let baselines = new Map<Value, Baseline>();
  for (const { event, ours, before } of events) {
    const baseline: Baseline = before === undefined ? {} : { value: before };
    if (event === "written" || event === "updated" || event === "kept") {
      // Our value counts until the run ends, because a stale cache can still show it. A kept value is somebody else's.
    } else if (event === "restored") {
      baselines = new Map();
    } else if (event === "sent") {
      const last = [...baselines.values()].at(-1);
      for (const value of ours) if (last && !baselines.has(value)) baselines.set(value, last);
    } else if (event === "released") {
      // A resource that adopted the device earlier took one of our values as its baseline.
      for (const [value, { value: known }] of baselines) {
        if (known !== undefined && ours.includes(known)) baselines.set(value, baseline);
      }
      for (const value of ours) baselines.set(value, baseline);
    } else {
      // If the value before this first update is one of ours, a killed run has written it, and both values count as
      // ours. Otherwise somebody else has changed the setting since then, and our earlier values no longer count.
      const isOfUs = before !== undefined && baselines.has(before);
      const isSameLife = isOfUs || [...baselines.values()].some(({ value }) => value === before);
      if (!isSameLife) baselines = new Map();
      for (const value of ours) baselines.set(value, (isOfUs && baselines.get(before)) || baseline);
    }
  }
  return baselines;
}

/**
 * The value that somebody else has set in place of the declared one, if a resource of this run keeps it.
 * @param events the events of the setting, in order
 */
export function keptIn(events: readonly SettingEvent[], declared: Value): Value | undefined {
  const last = events.findLast(({ event }) => event === "kept");
  return last?.ours.includes(declared) ? last.before : undefined;
}

/**
 * The present values of the settings that resources of this run restored, or sent, even if a stale cache shows others.
 * Values that were sent after a restore replace the restored ones. Without this, a device that moves between two sites
 * would count as drifted to its restored values.
 * @param events the events of a device, in order
 */
export function writtenIn(events: readonly SettingEvent[], by: "written" | "updated" = "written"): Values {
  const found: Record<string, Value> = {};
  for (const { event, key, ours } of events) {
    const [value] = ours;
    const isLater = event === "updated" && Object.hasOwn(found, key);
    if (value !== undefined && (event === by || isLater)) found[key] = value;
  }
  return found;
}
