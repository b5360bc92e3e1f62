import type { Message } from "../../provider/messages/message";
import type { Rollout } from "../stacks/fleetRecord";
import { type DeviceView, obstaclesIn, type SiteView, type Verdict } from "../view/model";

/** The sites and devices of a fleet or a stack, declared and observed. `status --json` prints it. */
export interface Status {
  readonly of: "fleet" | "stack";
  /** Name of the fleet, or `project/stack`. */
  readonly name: string;
  /** The time of the reading, ISO 8601 in UTC. */
  readonly time: string;
  /** Whether the status uses only the stacks' states, without the values that the service reports now. */
  readonly isOffline: boolean;
  readonly counts: Counts;
  readonly sites: readonly SiteView[];
  /** The devices that are declared outside of any site, by `VehicleSettings` and `InverterSettings`. */
  readonly devices: readonly LoneDevice[];
  readonly stackErrors: readonly StackError[];
  /** The last rollout of a fleet, if it ran on this machine. */
  readonly rollout?: Rollout;
}

/** A device outside of any site, with its stack. */
export interface LoneDevice extends DeviceView {
  readonly stack: string;
}

/** A stack whose state could not be read: nothing is known of its sites. */
interface StackError {
  readonly stack: string;
  readonly finding: string;
}

export interface Counts {
  readonly sites: number;
  /**
   * The number of sites that should be ready: all except those with `solar: false`, without inverters, or no longer
   * declared.
   */
  readonly solar: number;
  /** The number of solar sites for which all needed settings are declared and accepted. */
  readonly ready: number;
  /** The number of solar sites whose cars all declare another policy, so that the sun charges none of them. */
  readonly otherPolicies: number;
  /**
   * The number of solar sites by their readiness now, as the service reports it. Absent if the service was not asked.
   */
  readonly observed?: Readonly<Record<Verdict, number>>;
  /** The number of sites that the manifest no longer declares. */
  readonly leaving: number;
  /** The devices in the lists, also those that the manifest no longer declares. */
  readonly devices: number;
  readonly drifted: number;
  readonly unread: number;
  readonly toApply: number;
  /** Number of warnings of lints, about sites and devices. */
  readonly warnings: number;
}

/** Whether a device needs attention. */
export function needsAttention({ drift, problem, ownStatus }: DeviceView): boolean {
  return drift.length > 0 || problem !== undefined || (ownStatus !== undefined && obstaclesIn(ownStatus).length > 0);
}

/** Whether a site should be ready: a solar one that does not leave. */
export function isExpectedReady({ solar, change }: SiteView): boolean {
  return solar && change !== "leaving";
}

/** Whether a site that should be ready is not, as declared or as reported now. */
export function isNotReady(site: SiteView): boolean {
  return isExpectedReady(site) && (!site.ready || site.observed?.verdict === "notReady");
}

/** Whether a site or one of its devices needs attention. */
export function siteNeedsAttention(site: SiteView): boolean {
  return isNotReady(site) || site.devices.some(needsAttention);
}

/** The sites with a text in their name, or in the name or id of a device, in upper or lower case. */
export function sitesNamed(sites: readonly SiteView[], text: string): SiteView[] {
  const word = text.trim().toLowerCase();
  const namesOf = ({ name, title = name, isSite, devices, leaving = [] }: SiteView) => [
    ...(isSite ? [name, title] : []),
    ...[...devices, ...leaving].flatMap(({ label, device }) => [label, device]),
  ];
  return sites.filter((site) => namesOf(site).some((name) => name.toLowerCase().includes(word)));
}

/** The lint warnings of a site and its devices. */
export function warningsOf({ warnings, devices }: SiteView): readonly Message[] {
  return [...warnings, ...devices.flatMap((device) => device.warnings)];
}
