import type { Gap, GapReason } from "../../provider/settings/readiness";
import type { Value, Values } from "../../provider/settings/setting";
import type { Rollout } from "../fleet/rollout/lastRollout";

/** The sites and devices of a fleet or a stack, declared and observed. It is what `status --json` prints. */
export interface Status {
  readonly of: "fleet" | "stack";
  /** Name of the fleet, or `project/stack`. */
  readonly name: string;
  /** When it was looked at, ISO 8601 in UTC. */
  readonly time: string;
  /** Whether it is from the stacks' states alone, so that nothing is known of what the service reports now. */
  readonly isOffline: boolean;
  readonly counts: Counts;
  readonly sites: readonly SiteStatus[];
  /** The devices that are declared outside of any site, by `VehicleSettings` and `InverterSettings`. */
  readonly devices: readonly DeviceStatus[];
  readonly stackErrors: readonly StackError[];
  /** The last rollout of a fleet, if this machine made it. */
  readonly rollout?: Rollout;
}

/** A stack whose state could not be had: nothing is known of its sites. */
export interface StackError {
  readonly stack: string;
  readonly finding: string;
}

export interface Counts {
  readonly sites: number;
  /** Those that are to be ready: all but the ones with `solar: false` or without inverters. */
  readonly solar: number;
  /** Of the solar ones, those whose settings are declared and accepted, all that are needed. */
  readonly ready: number;
  /** The solar sites as the service reports them now. Absent if it was not asked. */
  readonly observed?: Readonly<Record<Verdict, number>>;
  readonly devices: number;
  readonly drifted: number;
  readonly unread: number;
  readonly toApply: number;
}

/** Whether a site is ready by what the service reports now. `unknown`: nothing speaks against it, and not all is seen. */
export type Verdict = "ready" | "notReady" | "unknown";

export interface SiteStatus {
  readonly site: string;
  readonly stack: string;
  readonly solar: boolean;
  readonly latitude?: number;
  /** Declared and accepted, all that is needed. */
  readonly ready: boolean;
  /** What is missing to that. */
  readonly gaps: readonly Gap[];
  /** Of a solar site, if the service was asked. */
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
  /** Why it is not ready; of an unknown one, what is not known. */
  readonly reasons: readonly Reason[];
}

/**
 * Why a site is not known to be ready now. Beside what the provider calls a gap: `drift`, the service reports another value
 * than was applied; `toApply`, another one than is declared, which no `up` has applied yet; `setupIncomplete`, `optedOut`
 * and `inactive`, the device itself says it; `gone`, the service no longer knows the device; and what is only not known:
 * `unread`, the device could not be read, and `unseen`, the service accepted the setting and does not report it.
 */
export type ReasonCode = GapReason | SaidCode | "drift" | "toApply" | "gone" | "unread" | "unseen";
export type SaidCode = "setupIncomplete" | "optedOut" | "inactive";

export interface Reason {
  /** `vehicle/<name>` or `inverter/<name>`; `site` for the site as a whole. */
  readonly device: string;
  readonly code: ReasonCode;
  readonly setting?: string;
}

export interface DeviceStatus {
  /** `business/device`. */
  readonly device: string;
  /** Its name in its site: `vehicle/<name>` or `inverter/<name>`; outside of a site, by the name of its resource. */
  readonly label: string;
  readonly stack: string;
  /** Whether it is read and never written. */
  readonly observe: boolean;
  /** Whether it declares its policy itself, which leaves it out of its site's readiness. */
  readonly isLeftOut: boolean;
  /** The values that the program or the manifest declares, and the policy of its site. */
  readonly declared: Values;
  /** The values that the service reports now, or at the last look of the stack's state. */
  readonly reported: Values;
  /** The values of the settings before they were first written. */
  readonly baseline: Values;
  /** Settings whose values are secrets of the program: they are in none of the others. */
  readonly secret: readonly string[];
  /** Settings that somebody changed since they were applied. */
  readonly drift: readonly string[];
  /** Declared settings that the service has not accepted as they are declared. */
  readonly toApply: readonly string[];
  /** Settings that the service accepted and does not report. */
  readonly unseen: readonly string[];
  /** The device's own status. Absent if it was not read. */
  readonly says?: Says;
  /** Why there is nothing to compare with. */
  readonly problem?: DeviceProblem;
  /** The last changes that the ledger has of it, newest first. */
  readonly changes: readonly Change[];
  /** Warnings of its values. */
  readonly lints: readonly string[];
}

export interface DeviceProblem {
  readonly code: "unread" | "gone" | "otherDevice";
  readonly finding: string;
}

/** The own status of a device, beside its settings. */
export interface Says {
  readonly setupComplete?: boolean;
  readonly optedOut?: boolean;
  readonly optedOutUntil?: string;
  readonly serviceStatus?: string;
  readonly chargingStatus?: string;
  /** The meaning of the status, as far as the service documents it. */
  readonly meaning?: string;
  readonly advice?: string;
}

/** One update of a device, as the ledger has it. */
export interface Change {
  readonly time: string;
  readonly by: string;
  readonly operation: string;
  readonly outcome: string;
  readonly run: string;
  readonly settings: readonly { readonly key: string; readonly from?: Value; readonly to?: Value }[];
}

/** Whether somebody has to look at a device. */
export function needsAttention({ drift, problem, says }: DeviceStatus): boolean {
  return drift.length > 0 || problem !== undefined || (says !== undefined && saysNo(says).length > 0);
}

/** Whether somebody has to look at a site, or at one of its devices. */
export function siteNeedsAttention({ solar, ready, observed, devices }: SiteStatus): boolean {
  return (solar && (!ready || observed?.verdict === "notReady")) || devices.some(needsAttention);
}

/** The service statuses in which the service does nothing until somebody changes something. */
const INACTIVE = ["inactive_opted_out", "inactive_setup_incomplete"];

/** What a device says that keeps it from charging by the sun, whatever its settings are. One thing is said once. */
export function saysNo({ setupComplete, optedOut, serviceStatus }: Says): SaidCode[] {
  const said: SaidCode[] = [];
  if (setupComplete === false) said.push("setupIncomplete");
  if (optedOut === true) said.push("optedOut");
  const isSaid = serviceStatus === (optedOut ? "inactive_opted_out" : undefined);
  if (serviceStatus !== undefined && INACTIVE.includes(serviceStatus) && !isSaid) said.push("inactive");
  return said;
}
