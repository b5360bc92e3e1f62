import type { AzimuthConvention, CardinalName } from "../settings/azimuth";
import type { OnDelete } from "../settings/declaration";
import type { LintName } from "../settings/lints";
import type { ChargePolicy } from "../settings/vehicle";

/** A number in the unit of the setting, or a text with another one, such as `"77 kWh"`. */
export type Quantity = number | string;

/** What is declared of vehicles in a manifest. */
export interface ManifestVehicleSettings {
  readonly maxCapacity?: Quantity;
  readonly maxChargePower?: Quantity;
  /** A vehicle that gives one is left out of its site's readiness. */
  readonly policy?: ChargePolicy;
  readonly onDelete?: OnDelete;
  readonly ignoreLints?: readonly LintName[];
}

/** What is declared of inverters in a manifest. */
export interface ManifestInverterSettings {
  readonly peakPower?: Quantity;
  readonly azimuth?: Quantity | CardinalName | { readonly degrees: number; readonly convention: AzimuthConvention };
  readonly tilt?: Quantity;
  readonly cutInThreshold?: Quantity;
  readonly baseLoad?: Quantity;
  readonly onDelete?: OnDelete;
  readonly ignoreLints?: readonly LintName[];
}

/** What tells a device of a manifest from the others. */
export interface ManifestDevice {
  readonly deviceId: string;
  /** What its resource is named by, within its site; by default the device's id. It stays when the device is swapped. */
  readonly name?: string;
  readonly businessId?: string;
}

/** What holds for devices that do not say it themselves. */
export interface ManifestDefaults {
  readonly vehicle?: ManifestVehicleSettings;
  readonly inverter?: ManifestInverterSettings;
}

/** A place with devices. */
export interface ManifestSite {
  readonly id: string;
  readonly businessId?: string;
  /** Latitude in degrees, north positive. */
  readonly latitude?: Quantity;
  /** Whether the site is made ready for solar-aware charging. Default: whether it has inverters. */
  readonly solar?: boolean;
  /** Whether a site that is not ready fails the preview. Default: false. */
  readonly requireReady?: boolean;
  readonly defaults?: ManifestDefaults;
  readonly vehicles?: readonly (ManifestDevice & ManifestVehicleSettings)[];
  readonly inverters?: readonly (ManifestDevice & ManifestInverterSettings)[];
}

/** A manifest as a program writes it; what a file has, in the same form. */
export interface FleetManifest {
  /** Name of the fleet, and of the Pulumi project of its stacks. */
  readonly fleet: string;
  readonly businessId?: string;
  /** How many stacks the fleet is split into. Default: as many as it has, and at first one for each 500 devices. */
  readonly shards?: number;
  readonly defaults?: ManifestDefaults;
  readonly sites: readonly ManifestSite[];
}
