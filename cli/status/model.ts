import type { Rollout } from "../stacks/fleetRecord";
import type { DeviceView, SiteView, Verdict } from "../view/model";

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
