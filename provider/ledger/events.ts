import type { Value, Values } from "../settings/setting";

/** A value of ours, and the value before it. */
export interface LedgerChange {
  readonly key: string;
  /** Absent if the service did not report it. */
  readonly old?: Value | undefined;
  readonly new: Value;
}

/** An event of a setting that we caused. */
export interface SettingEvent extends LedgerChange {
  /**
   * The event:
   *
   * - `planned`: a first update was about to be sent
   * - `sent`: a later update was about to be sent
   * - `refused`: an update certainly changed nothing
   * - `released`: a resource stopped managing the setting
   * - `restored`: a resource of an earlier run wrote the baseline or the service's default
   * - `written`: a resource of this run wrote the baseline or the default
   * - `updated`: a resource of this run sent the value
   * - `kept`: a resource of this run keeps the value in `old`, which somebody else has set in place of ours
   */
  readonly event: "planned" | "sent" | "refused" | "released" | "restored" | "written" | "updated" | "kept";
}

/** The resource that writes a line, and its secret settings. */
export interface Writer {
  /** The engine's name of the resource; undefined if it is not known. */
  readonly urn: string | undefined;
  /** Whether the program declares a setting of the line's device as a secret. */
  readonly isSecret: (key: string) => boolean;
}

/** The events of a setting without updates that changed nothing. Without this, a driver's equal choice would count as ours. */
export function appliedIn(events: readonly SettingEvent[]): SettingEvent[] {
  return events.filter(({ event, new: value }, index) => {
    const next = events[index + 1];
    return event !== "refused" && !(event === "planned" && next?.event === "refused" && next.new === value);
  });
}

/** Each value that the provider may have written to a setting, with the baseline; undefined if it was not reported. */
export type BaselinesByValue = ReadonlyMap<Value, Value | undefined>;

/**
 * The values that the provider may have written to a setting, each with its baseline.
 * @param events the events of the setting, in order
 */
export function baselinesByValue(events: readonly SettingEvent[]): BaselinesByValue {
  let baselines = new Map<Value, Value | undefined>();
  for (const { event, new: value, old } of events) {
    if (event === "written" || event === "updated" || event === "kept") {
      // Our value counts until the run ends, because a stale cache can still show it. A kept value is somebody else's.
    } else if (event === "restored") {
      baselines = new Map();
    } else if (event === "sent") {
      if (baselines.size > 0 && !baselines.has(value)) baselines.set(value, [...baselines.values()].at(-1));
    } else if (event === "released") {
      // A resource that adopted the device earlier took one of our values as its baseline.
      for (const [own, known] of baselines) if (known === value) baselines.set(own, old);
      baselines.set(value, old);
    } else {
      // If the value before this first update is one of ours, a killed run has written it, and both values count as
      // ours. Otherwise somebody else has changed the setting since then, and our earlier values no longer count.
      const isOfUs = old !== undefined && baselines.has(old);
      if (!isOfUs && ![...baselines.values()].includes(old)) baselines = new Map();
      baselines.set(value, isOfUs ? baselines.get(old) : old);
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
  return last?.new === declared ? last.old : undefined;
}

/**
 * The present values of the settings that resources of this run restored, or sent, even if a stale cache shows others.
 * Values that were sent after a restore replace the restored ones. Without this, a device that moves between two sites
 * would count as drifted to its restored values.
 * @param events the events of a device, in order
 */
export function writtenIn(events: readonly SettingEvent[], by: "written" | "updated" = "written"): Values {
  const found: Record<string, Value> = {};
  for (const { event, key, new: value } of events) {
    if (event === by || (event === "updated" && Object.hasOwn(found, key))) found[key] = value;
  }
  return found;
}
