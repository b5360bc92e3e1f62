import type { Panels } from "../../measure/sky/plane";
import type { LintName } from "./lints";
import type { Choices, Values } from "./setting";

/** The effects of a delete on a device, by name. */
export const OnDelete = {
  /** The values stay. */
  Retain: "retain",
  /** The values from before we first wrote them are written back. */
  Restore: "restore",
  /** The service's defaults are written. */
  Reset: "reset",
} as const;
/**
 * The effect of a delete on a device. `retain`: its values stay. `restore`: the values from before we first wrote
 * them are written back. `reset`: the service's defaults are written.
 * @useDeclaredType
 */
export type OnDelete = (typeof OnDelete)[keyof typeof OnDelete];

export const ON_DELETE = Object.values(OnDelete);

export const DELETE_EFFECTS: Choices<OnDelete> = {
  retain: "keeps the values",
  restore: "writes back the values from before the first update",
  reset: "writes the service's defaults; vehicles only",
};

/** The answers to somebody else's later value, by name. */
export const OnDrift = {
  /** The next update sends the declared value again. */
  Repair: "repair",
  /** The value stays until the program declares another one. */
  Keep: "keep",
} as const;
/**
 * The answer to a value that somebody else set after our last update. `repair`: the next update sends the declared value
 * again. `keep`: the value stays until the program declares another one, and readiness counts it.
 * @useDeclaredType
 */
export type OnDrift = (typeof OnDrift)[keyof typeof OnDrift];

export const ON_DRIFT = Object.values(OnDrift);

export const DRIFT_EFFECTS: Choices<OnDrift> = {
  repair: "the next update sends the declared value again",
  keep: "leaves the other value until you declare a new one",
};

/** `OnDrift` of all settings, or by setting. A setting without an entry is repaired. */
export type DriftAnswers = OnDrift | Readonly<Record<string, OnDrift>>;

/** The arguments of a device besides its ids and settings. None of them is sent. */
export interface DeviceOptions {
  readonly onDelete?: OnDelete;
  readonly onDrift?: DriftAnswers;
  readonly ignoreLints?: readonly LintName[];
  /** The latitude of an inverter with a resource of its own, in degrees, north positive. */
  readonly latitude?: number;
  /** The planes of an inverter, in place of peak power, azimuth and tilt. */
  readonly planes?: readonly Panels[];
}

/** The keys of `DeviceOptions`. */
export const OPTION_KEYS = [
  "onDelete",
  "onDrift",
  "ignoreLints",
  "latitude",
  "planes",
] as const satisfies readonly (keyof DeviceOptions)[];

/** The declarations of a program for one device. */
export interface Declaration extends DeviceOptions {
  readonly businessId: string;
  readonly deviceId: string;
  /** The declared keys and their values. */
  readonly values: Values;
}

/**
 * The answers to drift of a device. They override those of its site.
 * @param keys the settings of the device
 */
export function driftAnswersOver(
  ofSite: DriftAnswers | undefined,
  own: DriftAnswers | undefined,
  keys: readonly string[],
): DriftAnswers | undefined {
  if (ofSite === undefined || typeof own === "string") return own;
  if (own === undefined) return ofSite;
  const outer = typeof ofSite === "string" ? Object.fromEntries(keys.map((key) => [key, ofSite])) : ofSite;
  return { ...outer, ...own };
}

/** Whether somebody else's later value of a setting stays. */
export function keepsDrift({ onDrift }: Pick<DeviceOptions, "onDrift">, key: string): boolean {
  return (typeof onDrift === "object" ? onDrift[key] : onDrift) === OnDrift.Keep;
}
