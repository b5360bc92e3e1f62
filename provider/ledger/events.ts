import type { Value, Values } from "../settings/setting";
import type { LedgerDevice } from "./ledgerLine";

/** A setting that a resource stops managing: the values that we may have written, and the value before them. */
export interface ReleasedSetting {
  readonly key: string;
  readonly ours: readonly Value[];
  /** The value before ours. Absent if the service did not report it. */
  readonly before?: Value | undefined;
}

/** An event of a setting that we caused. */
export interface SettingEvent extends ReleasedSetting {
  /**
   * The event:
   *
   * - `planned`: a first update was about to be sent
   * - `sent`: a later update was about to be sent
   * - `released`: a resource stopped managing the setting
   * - `restored`: a resource of an earlier run wrote the baseline or the service's default
   * - `written`: a resource of this run wrote the baseline or the default
   * - `updated`: a resource of this run sent the value
   * - `kept`: a resource of this run keeps the value in `before`, which somebody else has set in place of ours
   */
  readonly event: "planned" | "sent" | "released" | "restored" | "written" | "updated" | "kept";
}

/** The resource that writes a line, and its secret settings. */
export interface Writer {
  /** The engine's name of the resource; undefined if it is not known. */
  readonly urn: string | undefined;
  /** Whether the program declares a setting of the line's device as a secret. */
  readonly isSecret: (key: string) => boolean;
}

/** An update of a device that is about to be sent. */
export interface PlannedUpdate extends Pick<Writer, "isSecret"> {
  readonly device: LedgerDevice;
  readonly sent: Values;
  /** The values before it, as far as they are known. */
  readonly old: Values;
}

/** Sent values, each with the value before it. */
export function settingsOf(sent: Values, before: Values = {}): ReleasedSetting[] {
  return Object.entries(sent).map(([key, value]) => ({ key, ours: [value], before: before[key] }));
}

/** Each value that the provider may have written to a setting, with the baseline; undefined if it was not reported. */
export type BaselinesByValue = ReadonlyMap<Value, Value | undefined>;

/**
 * The values that the provider may have written to a setting, each with its baseline.
 * @param events the events of the setting, in order
 */
export function baselinesByValue(events: readonly SettingEvent[]): BaselinesByValue {
  let baselines = new Map<Value, Value | undefined>();
  for (const { event, ours, before } of events) {
    if (event === "written" || event === "updated" || event === "kept") {
      // Our value counts until the run ends, because a stale cache can still show it. A kept value is somebody else's.
    } else if (event === "restored") {
      baselines = new Map();
    } else if (event === "sent") {
      const known = [...baselines.values()];
      for (const value of ours) if (known.length > 0 && !baselines.has(value)) baselines.set(value, known.at(-1));
    } else if (event === "released") {
      // A resource that adopted the device earlier took one of our values as its baseline.
      for (const [value, known] of baselines) {
        if (known !== undefined && ours.includes(known)) baselines.set(value, before);
      }
      for (const value of ours) baselines.set(value, before);
    } else {
      // If the value before this first update is one of ours, a killed run has written it, and both values count as
      // ours. Otherwise somebody else has changed the setting since then, and our earlier values no longer count.
      const isOfUs = before !== undefined && baselines.has(before);
      if (!isOfUs && ![...baselines.values()].includes(before)) baselines = new Map();
      const baseline = isOfUs ? baselines.get(before) : before;
      for (const value of ours) baselines.set(value, baseline);
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
