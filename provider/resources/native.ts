import { nativeType } from "../engine/tokens";
import * as dynamic from "./fleetSettings";
import { NATIVE } from "./front";
import * as inverters from "./inverterSettings";
import { isOfType } from "./settingsResource";
import * as sites from "./siteSettings";
import * as vehicles from "./vehicleSettings";

/**
 * Declares the settings of one electric vehicle, over the native plugin. For a whole site, see `SiteSettings`.
 * @example
 * const car = new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh", onDelete: "restore" });
 */
export class VehicleSettings extends vehicles.VehicleSettings {
  /** @internal */
  static override readonly __pulumiType = nativeType("VehicleSettings");
  /** @internal */
  static override readonly front = NATIVE;

  /** Whether `obj` is a `VehicleSettings`, of this copy of the package or another one. */
  static override isInstance(obj: unknown): obj is VehicleSettings {
    return isOfType(VehicleSettings.__pulumiType, obj);
  }
}

/**
 * Declares the settings of one solar inverter, over the native plugin. For a whole site, see `SiteSettings`.
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

  /** Whether `obj` is an `InverterSettings`, of this copy of the package or another one. */
  static override isInstance(obj: unknown): obj is InverterSettings {
    return isOfType(InverterSettings.__pulumiType, obj);
  }
}

/**
 * Declares the settings of all devices of one site, over the native plugin, and makes it ready for solar-aware charging.
 * @example
 * const acme = new Provider("acme", { businessId: "acme" });
 * const berlin = new SiteSettings(
 *   "berlin",
 *   { vehicles: { van: { deviceId: "van-1", maxCapacity: "77 kWh", maxChargePower: "11 kW" } } },
 *   { provider: acme },
 * );
 */
export class SiteSettings extends sites.SiteSettings {
  /** @internal */
  static override readonly __pulumiType = nativeType("SiteSettings");
  /** @internal */
  static override readonly front = NATIVE;

  /** Whether `obj` is a `SiteSettings`, of this copy of the package or another one. */
  static override isInstance(obj: unknown): obj is SiteSettings {
    return isOfType(SiteSettings.__pulumiType, obj);
  }
}

/**
 * Declares a fleet, over the native plugin: one `SiteSettings` for each site of its manifest, with the site's id as its name.
 * @example
 * const fleet = new FleetSettings("fleet", { manifest: "fleet.yaml" });
 */
export class FleetSettings extends dynamic.FleetSettings {
  /** @internal */
  static override readonly site = SiteSettings;
}
