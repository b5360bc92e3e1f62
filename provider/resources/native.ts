import { nativeType } from "../engine/tokens";
import * as dynamic from "./fleetSettings";
import { NATIVE } from "./front";
import * as inverters from "./inverterSettings";
import { isOfType } from "./settingsResource";
import * as sites from "./siteSettings";
import * as vehicles from "./vehicleSettings";

/**
 * Declares settings of one electric vehicle. For a whole site, see `SiteSettings`.
 * @example
 * const car = new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh", onDelete: "restore" });
 */
export class VehicleSettings extends vehicles.VehicleSettings {
  /** @internal */
  static override readonly __pulumiType = nativeType("VehicleSettings");
  /** @internal */
  static override readonly front = NATIVE;

  /** Whether `obj` is a `VehicleSettings`, also one of another copy of this package. */
  static override isInstance(obj: unknown): obj is VehicleSettings {
    return isOfType(VehicleSettings.__pulumiType, obj);
  }
}

/**
 * Declares settings of one solar inverter. For a whole site, see `SiteSettings`.
 * @example
 * const roof = new InverterSettings("roof", {
 *   deviceId: "roof", peakPower: "9.8 kWp", azimuth: "SSW", tilt: 35, cutInThreshold: "150 W", baseLoad: "400 W",
 * });
 */
export class InverterSettings extends inverters.InverterSettings {
  /** @internal */
  static override readonly __pulumiType = nativeType("InverterSettings");
  /** @internal */
  static override readonly front = NATIVE;

  /** Whether `obj` is an `InverterSettings`, also one of another copy of this package. */
  static override isInstance(obj: unknown): obj is InverterSettings {
    return isOfType(InverterSettings.__pulumiType, obj);
  }
}

/** Declares the settings of all devices of one site, and makes it ready for solar-aware charging. */
export class SiteSettings extends sites.SiteSettings {
  /** @internal */
  static override readonly __pulumiType = nativeType("SiteSettings");
  /** @internal */
  static override readonly front = NATIVE;

  /** Whether `obj` is a `SiteSettings`, also one of another copy of this package. */
  static override isInstance(obj: unknown): obj is SiteSettings {
    return isOfType(SiteSettings.__pulumiType, obj);
  }
}

/** Declares a fleet: one `SiteSettings` for each site of its manifest, named by the site's id. */
export class FleetSettings extends dynamic.FleetSettings {
  /** @internal */
  static override readonly site = SiteSettings;
}
