import type { OnDelete } from "../settings/declaration";
import type { LintName } from "../settings/lints";
import type { Values } from "../settings/setting";

/** A fleet as its manifest declares it: defaults are merged in, and quantities are in the units of the settings. */
export interface Manifest {
  /** Name of the fleet, and of the Pulumi project that its stacks belong to. */
  readonly fleet: string;
  /** How many stacks the fleet is split into, where it says so. A change would move sites between stacks. */
  readonly shards?: number;
  readonly sites: readonly Site[];
}

/** Devices at one place. All of them are in one stack. */
export interface Site {
  readonly id: string;
  /** Latitude in degrees, north positive. */
  readonly latitude?: number;
  /** Whether the site is to be made ready for solar-aware charging. */
  readonly isSolar: boolean;
  /** Whether a site that is not ready fails the preview. */
  readonly requireReady: boolean;
  readonly vehicles: readonly Member[];
  readonly inverters: readonly Member[];
}

/** One device, and the settings that are declared of it. */
export interface Member {
  /** What the device is called within its site; a resource is named by it. By default the device's id. */
  readonly name: string;
  readonly deviceId: string;
  /** Absent: the business of the configuration. */
  readonly businessId?: string;
  readonly onDelete?: OnDelete;
  readonly ignoreLints?: readonly LintName[];
  readonly values: Values;
}

/** All devices of a site. */
export function membersOf({ vehicles, inverters }: Site): Member[] {
  return [...vehicles, ...inverters];
}

/** Tells devices apart: the same id is another device in another business. */
export function deviceKey(businessId: string | undefined, deviceId: string): string {
  return JSON.stringify([businessId, deviceId]);
}
