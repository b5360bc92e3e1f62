import type * as pulumi from "@pulumi/pulumi";
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

  /** Reads a vehicle without managing it: shows everything that the cached read shows, and never changes it. */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: vehicles.VehicleSettingsState,
    opts?: pulumi.CustomResourceOptions,
  ): VehicleSettings {
    return new VehicleSettings(name, { ...state } as vehicles.VehicleSettingsArgs, { ...opts, id });
  }

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

  /** Reads an inverter without managing it: shows everything that the cached read shows, and never changes it. */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: inverters.InverterSettingsState,
    opts?: pulumi.CustomResourceOptions,
  ): InverterSettings {
    return new InverterSettings(name, { ...state } as inverters.InverterSettingsArgs, { ...opts, id });
  }

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
