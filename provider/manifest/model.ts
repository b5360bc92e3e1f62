import type { OnDelete } from "../settings/declaration";
import type { LintName } from "../settings/lints";
import { keysOf, pick, type Values } from "../settings/setting";
import { GROUP_NAMES, type Group, isSolarSite, kindOf } from "../settings/site";

/** A fleet as its manifest declares it: defaults are merged in, and quantities are in the units of the settings. */
export interface Manifest {
  /** Name of the fleet, and of the Pulumi project that its stacks belong to. */
  readonly fleet: string;
  /** How many stacks the fleet is split into, if the manifest says it. A change would move sites between stacks. */
  readonly shards?: number;
  readonly sites: readonly Site[];
}

/** Devices at one place, all of them in one stack: the arguments of its `SiteSettings`, and the name of that. */
export interface Site {
  readonly id: string;
  readonly vehicles?: Devices;
  readonly inverters?: Devices;
  readonly latitude?: number;
  readonly solar?: boolean;
  readonly requireReady?: boolean;
  readonly businessId?: string;
  readonly onDelete?: OnDelete;
  readonly ignoreLints?: readonly LintName[];
}

/** Devices by name. */
export type Devices = Readonly<Record<string, ManifestDevice>>;

/** The arguments of one device of a `SiteSettings`. */
export interface ManifestDevice {
  readonly deviceId: string;
  readonly businessId?: string;
  /** Whether it is read and never written. */
  readonly observe?: boolean;
  /** The settings, `onDelete` and `ignoreLints`. */
  readonly [key: string]: unknown;
}

/** One device, and the settings that are declared of it. */
export interface Member {
  readonly group: Group;
  readonly name: string;
  readonly deviceId: string;
  /** Absent: the business of the configuration. */
  readonly businessId?: string;
  readonly observe: boolean;
  readonly values: Values;
}

/** All devices of a site, inverters first. */
export function membersOf(site: Site): Member[] {
  return GROUP_NAMES.flatMap((group) =>
    Object.entries(site[group] ?? {}).map(([name, device]) => {
      const { deviceId, businessId = site.businessId, observe = false } = device;
      const values = pick(device, keysOf(kindOf({ group }))) as Values;
      return { group, name, deviceId, ...(businessId !== undefined && { businessId }), observe, values };
    }),
  );
}

/** Whether a site is to be made ready for solar-aware charging. */
export function isSolar(site: Site): boolean {
  return isSolarSite(site.solar, membersOf(site));
}

/** Tells devices apart: the same id is another device in another business. */
export function deviceKey(businessId: string | undefined, deviceId: string): string {
  return JSON.stringify([businessId, deviceId]);
}
