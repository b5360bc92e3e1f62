import type { Panels } from "../../sky/plane";
import type { LintName } from "./lints";
import type { Values } from "./setting";

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

/** The arguments of a device besides its ids and settings. None of them is sent. */
export interface DeviceOptions {
  readonly onDelete?: OnDelete;
  readonly ignoreLints?: readonly LintName[];
  /** In degrees, north positive. Of an inverter that has a resource of its own. */
  readonly latitude?: number;
  /** The planes of an inverter, in place of peak power, azimuth and tilt. */
  readonly planes?: readonly Panels[];
}

/** The names of `Options`. */
export const OPTION_KEYS = [
  "onDelete",
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
