import type { Unwrap } from "@pulumi/pulumi";
import type { SiteInverterArgs, SiteSettingsArgs, SiteVehicleArgs } from "./siteSettings";

/** The defaults of a site's devices: settings, `onDelete`, `onDrift` and `ignoreLints`. */
type Shared<Args> = Partial<Omit<Extract<Unwrap<Args>, { observe?: false }>, "deviceId" | "businessId" | "observe">>;

/** Settings, `onDelete`, `onDrift` and `ignoreLints` of devices that do not declare them. */
export interface ManifestDefaults {
  /** The defaults of vehicles. */
  readonly vehicle?: Shared<SiteVehicleArgs>;
  /** The defaults of inverters. */
  readonly inverter?: Shared<SiteInverterArgs>;
}

/** The defaults of a fleet: also of its sites. */
export interface FleetDefaults extends ManifestDefaults, Pick<Unwrap<SiteSettingsArgs>, "latitude" | "solar"> {}

/** A site of a manifest: the arguments of a `SiteSettings`, and defaults for its devices. */
export interface ManifestSite extends Readonly<Unwrap<SiteSettingsArgs>> {
  /** Name of the site for people, such as Bad Homburg. Status, report and review show it. Default: the site's id. */
  readonly title?: string;
  /** Labels by which the waves of a rollout choose sites. */
  readonly labels?: readonly string[];
  /** The defaults of this site's devices. They override the fleet's. */
  readonly defaults?: ManifestDefaults;
}

/** One wave of a rollout: exactly one of `sites`, `labels` and `share`. */
export interface ManifestWave {
  /** Ids of sites. */
  readonly sites?: readonly string[];
  /** The sites that have one of these labels. */
  readonly labels?: readonly string[];
  /** Sites with this share of the fleet's devices, such as `10%`. */
  readonly share?: string;
  /** Time for which the wave is watched after it is applied, such as `30m`. Default: not at all. */
  readonly soak?: string;
  /** Share of the wave's devices that may fail, such as `5%`. Default: that of `--max-failures`. */
  readonly maxFailures?: string;
}

/** A manifest as a program writes it; a file has the same form. */
export interface FleetManifest {
  /** Address of the schema of this file, for editors. */
  readonly $schema?: string;
  /** Name of the fleet, and of the Pulumi project of its stacks. */
  readonly fleet: string;
  /** The business of devices whose site does not name theirs. */
  readonly businessId?: string;
  /**
   * Number of stacks that the fleet is split into. Default: the present number; for a new fleet, one for each 1,000 devices.
   */
  readonly shards?: number;
  /** The fleet's defaults, for keys that neither a device nor its site declares. */
  readonly defaults?: FleetDefaults;
  /** The waves in which `solar-charging fleet up` goes through the sites. `FleetSettings` ignores it. */
  readonly rollout?: {
    /** The waves, in the order in which they run. */
    readonly waves: readonly ManifestWave[];
  };
  /** Sites by id, which becomes the name of the site's `SiteSettings`. */
  readonly sites: Readonly<Record<string, ManifestSite>>;
}
