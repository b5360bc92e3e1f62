import type { Message } from "../messages/message";
import type { DeviceOptions, OnDelete } from "../settings/declaration";
import type { Gap } from "../settings/readiness";
import type { Values } from "../settings/setting";

/**
 * The outcome of an operation on a device:
 *
 * - `changed`: an update sent or will send something, or the device has drifted
 * - `adopted`: the device is newly managed, and already had all declared values
 * - `unmanaged`: the device, or some of its settings, is no longer managed
 * - `held`: the car keeps its policy because something that it needs failed, or the run was stopped before its turn.
 * With a problem, the device stays unchanged because nobody has approved its new values
 */
export type Result = "unchanged" | "changed" | "adopted" | "unmanaged" | "held" | "failed";

/** The outcome of an operation on one device. Values of secret settings are left out. */
export interface DeviceOutcome {
  /** `business/device`. */
  readonly device: string;
  /** Absent for a device with its own resource. */
  readonly site?: string;
  /** Its name in its site: `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly result: Result;
  /** The reason why it failed. */
  readonly problem?: Message;
  /** The managed settings before the operation; for a new device its reported values, as far as they are known. */
  readonly before: Values;
  /** The managed settings after it. Absent if it is no longer managed. */
  readonly after?: Values;
  /** The planes of a declared inverter, before the operation and after it. */
  readonly planes?: { readonly before?: DeviceOptions["planes"]; readonly after?: DeviceOptions["planes"] };
  /** Whether the device is only read after the operation. */
  readonly observe?: true;
  /** Whether its policy comes from its site. */
  readonly policyFromSite?: true;
  /** The settings that a delete would write back, if it leaves. */
  readonly restores?: readonly string[];
  /** The device's `onDelete`, if its site no longer declares it; `observe` if it was only read. */
  readonly onDelete?: OnDelete | "observe";
  /** The settings that were sent. Absent if nothing was. */
  readonly sent?: readonly string[];
  /** Its settings that are secrets. Absent if it has none. */
  readonly secret?: readonly string[];
}

/** The outcome of an operation on one site. */
export interface SiteOutcome {
  readonly site: string;
  readonly readyBefore?: boolean;
  /** Absent if the site is no longer declared, or if its readiness is not known yet. */
  readonly readyAfter?: boolean;
  /** The gaps of a solar site. */
  readonly gaps: readonly Gap[];
  /** In degrees, if the site declares it. */
  readonly latitude?: number;
  /** The reason why the site as a whole was refused. */
  readonly problem?: Message;
}

/** An operation on a resource. `diff`: the effect that an update would have. */
export type OutcomeOperation = "check" | "diff" | "create" | "update" | "read" | "delete";

/** The outcome of an operation on a resource, as a provider reports it. */
export interface Outcome {
  /** The resource; undefined if it is not known. */
  readonly urn: string | undefined;
  readonly operation: OutcomeOperation;
  /** Absent for a device with its own resource. */
  readonly site?: SiteOutcome;
  readonly devices: readonly DeviceOutcome[];
}
