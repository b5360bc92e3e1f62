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

/** The values of a device before its first update, and the values of that update. */
export interface PlannedDevice extends Pick<Writer, "isSecret"> {
  readonly device: LedgerDevice;
  /** The name in its site, if it has one. */
  readonly label?: string;
  readonly baseline: Values;
  readonly sent: Values;
}

/** Sent values, each with the value before it. */
export function settingsOf(sent: Values, before: Values = {}): ReleasedSetting[] {
  return Object.entries(sent).map(([key, value]) => ({ key, ours: [value], before: before[key] }));
}
