import type { Unwrap } from "@pulumi/pulumi";
import type { SiteInverterArgs, SiteSettingsArgs, SiteVehicleArgs } from "./siteSettings";

/** The defaults of a site's devices: settings, `onDelete` and `ignoreLints`. */
type Shared<Args> = Partial<Omit<Extract<Unwrap<Args>, { observe?: false }>, "deviceId" | "businessId" | "observe">>;

/** Settings, `onDelete` and `ignoreLints` of devices that do not declare them. */
export interface ManifestDefaults {
  /** Of each vehicle. */
  readonly vehicle?: Shared<SiteVehicleArgs>;
  /** Of each inverter. */
  readonly inverter?: Shared<SiteInverterArgs>;
}

/** A site of a manifest: the arguments of a `SiteSettings`, and defaults for its devices. */
export interface ManifestSite extends Readonly<Unwrap<SiteSettingsArgs>> {
  /** Of devices of this site. They override the fleet's. */
  readonly defaults?: ManifestDefaults;
}

/** A manifest as a program writes it; a file has the same form. */
export interface FleetManifest {
  /** Name of the fleet, and of the Pulumi project of its stacks. */
  readonly fleet: string;
  /** The business of devices whose site does not name theirs. */
  readonly businessId?: string;
  /** How many stacks the fleet is split into. Default: as many as it has, and at first one for each 1,000 devices. */
  readonly shards?: number;
  /** Of devices that neither they nor their site declare. */
  readonly defaults?: ManifestDefaults;
  /** Sites by id, which becomes the name of the site's `SiteSettings`. */
  readonly sites: Readonly<Record<string, ManifestSite>>;
}
