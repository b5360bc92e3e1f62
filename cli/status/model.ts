import type { Gap, GapReason } from "../../provider/settings/readiness";
import type { Value, Values } from "../../provider/settings/setting";
import type { Panels } from "../../sky/plane";
import type { Rollout } from "../stacks/lastRollout";
import type { MeasuredInverter } from "../view/measured";

/** The sites and devices of a fleet or a stack, declared and observed. `status --json` prints it. */
export interface Status {
  readonly of: "fleet" | "stack";
  /** Name of the fleet, or `project/stack`. */
  readonly name: string;
  /** The time of the reading, ISO 8601 in UTC. */
  readonly time: string;
  /** Whether it uses only the stacks' states, without the values that the service reports now. */
  readonly isOffline: boolean;
  readonly counts: Counts;
  readonly sites: readonly SiteStatus[];
  /** The devices that are declared outside of any site, by `VehicleSettings` and `InverterSettings`. */
  readonly devices: readonly DeviceStatus[];
  readonly stackErrors: readonly StackError[];
  /** The last rollout of a fleet, if it ran on this machine. */
  readonly rollout?: Rollout;
}

/** A stack whose state could not be read: nothing is known of its sites. */
export interface StackError {
  readonly stack: string;
  readonly finding: string;
}

export interface Counts {
  readonly sites: number;
  /** The solar sites: all sites except those with `solar: false` or without inverters. */
  readonly solar: number;
  /** The number of solar sites for which all needed settings are declared and accepted. */
  readonly ready: number;
  /** The solar sites as the service reports them now. Absent if it was not asked. */
  readonly observed?: Readonly<Record<Verdict, number>>;
  readonly devices: number;
  readonly drifted: number;
  readonly unread: number;
  readonly toApply: number;
  /** Number of lint warnings, of sites and devices. */
  readonly warnings: number;
}

/**
 * The readiness of a site according to the values that the service reports now. `unknown`: no value contradicts it, and
 * not all are reported.
 */
export type Verdict = "ready" | "notReady" | "unknown";

export interface SiteStatus {
  readonly site: string;
  readonly stack: string;
  readonly solar: boolean;
  readonly latitude?: number;
  /** Whether all needed settings are declared and accepted. */
  readonly ready: boolean;
  /** The gaps. */
  readonly gaps: readonly Gap[];
  /** For a solar site, its readiness now, if the service was asked. */
  readonly observed?: Observed;
  /** `new`: no `up` has applied it yet. `leaving`: the manifest no longer declares it. */
  readonly change?: "new" | "leaving";
  /** Warnings of the whole site. */
  readonly lints: readonly string[];
  /** Inverters first. */
  readonly devices: readonly DeviceStatus[];
}

export interface Observed {
  readonly verdict: Verdict;
  /** The reasons why it is not ready, or why its readiness is unknown. */
  readonly reasons: readonly Reason[];
}

/**
 * The reason why a site is not known to be ready now: a gap of the provider, or one of these. `drift`: the service
 * reports another value than was applied. `toApply`: it reports another value than is declared, and no `up` has
 * applied it yet. `setupIncomplete`, `optedOut`, `inactive`: the device itself reports it. `gone`: the service no
 * longer knows the device. `unread`: the device could not be read. `unseen`: the service accepted the setting and
 * does not report it. The last two leave readiness unknown.
 */
export type ReasonCode = GapReason | ObstacleCode | "drift" | "toApply" | "gone" | "unread" | "unseen";
export type ObstacleCode = "setupIncomplete" | "optedOut" | "inactive";

export interface Reason {
  /** `vehicle/<name>` or `inverter/<name>`; `site` for the site as a whole. */
  readonly device: string;
  readonly code: ReasonCode;
  readonly setting?: string;
}

/** A gap of a site as a reason why it is not ready. */
export function asReason({ device, setting, reason: code }: Gap): Reason {
  return { device, setting, code };
}

export interface DeviceStatus {
  /** `business/device`. */
  readonly device: string;
  /**
   * Its name in its site, `vehicle/<name>` or `inverter/<name>`. Outside of a site, `<name>` is that of its resource.
   */
  readonly label: string;
  readonly stack: string;
  /** Whether it is read and never written. */
  readonly observe: boolean;
  /** Whether it declares its own policy, so that its site's readiness ignores it. */
  readonly isLeftOut: boolean;
  /** The values that the program or the manifest declares, and the policy of its site. */
  readonly declared: Values;
  /** The planes of an inverter, if its peak power, azimuth and tilt come from them. */
  readonly planes?: readonly Panels[];
  /** The values that the service reports now; offline, the last ones in state. */
  readonly reported: Values;
  /** The values of the settings before they were first written. */
  readonly baseline: Values;
  /** Settings whose values the program declares as secrets. Other fields do not contain them. */
  readonly secret: readonly string[];
  /** Settings that somebody changed since they were applied. */
  readonly drift: readonly string[];
  /** Declared settings that the service has not accepted as declared. */
  readonly toApply: readonly string[];
  /** Settings that the service accepted and does not report. */
  readonly unseen: readonly string[];
  /** The device's own status. Absent if it was not read. */
  readonly ownStatus?: OwnStatus;
  /** The reason why there is nothing to compare with. */
  readonly problem?: DeviceProblem;
  /** The device's last changes in the ledger, newest first. */
  readonly changes: readonly Change[];
  /** The panels of an inverter according to its production, from 'solar-charging roof'. */
  readonly measured?: MeasuredInverter;
  /** Lint warnings of its values. */
  readonly lints: readonly string[];
}

export interface DeviceProblem {
  readonly code: "unread" | "gone" | "otherDevice";
  readonly finding: string;
}

/** The own status of a device, beside its settings. */
export interface OwnStatus {
  readonly setupComplete?: boolean;
  readonly optedOut?: boolean;
  readonly optedOutUntil?: string;
  /** The device shows its config without a charge-by time: the likeliest reason for an incomplete setup. */
  readonly chargeByMissing?: true;
  readonly serviceStatus?: string;
  readonly chargingStatus?: string;
  /** The meaning of the status, as far as the service documents it. */
  readonly meaning?: string;
  readonly advice?: string;
}

/** One update of a device, from the ledger. */
export interface Change {
  readonly time: string;
  readonly by: string;
  readonly operation: string;
  readonly outcome: string;
  readonly run: string;
  readonly settings: readonly { readonly key: string; readonly from?: Value; readonly to?: Value }[];
}

/** Whether a device needs attention. */
export function needsAttention({ drift, problem, ownStatus }: DeviceStatus): boolean {
  return drift.length > 0 || problem !== undefined || (ownStatus !== undefined && obstaclesIn(ownStatus).length > 0);
}

/** The lint warnings of a site and its devices. */
export function warningsOf({ lints, devices }: SiteStatus): readonly string[] {
  return [...lints, ...devices.flatMap((device) => device.lints)];
}

/** Whether a site or one of its devices needs attention. */
export function siteNeedsAttention({ solar, ready, observed, devices }: SiteStatus): boolean {
  return (solar && (!ready || observed?.verdict === "notReady")) || devices.some(needsAttention);
}

/** The service statuses in which the service is inactive until somebody changes something. */
const INACTIVE = ["inactive_opted_out", "inactive_setup_incomplete"];

/** The reasons in a device's own status why it does not charge by the sun, whatever its settings are. */
export function obstaclesIn({ setupComplete, optedOut, serviceStatus }: OwnStatus): ObstacleCode[] {
  const isRepeated = optedOut && serviceStatus === "inactive_opted_out";
  return [
    ...(setupComplete === false ? (["setupIncomplete"] as const) : []),
    ...(optedOut ? (["optedOut"] as const) : []),
    ...(serviceStatus !== undefined && INACTIVE.includes(serviceStatus) && !isRepeated ? (["inactive"] as const) : []),
  ];
}
