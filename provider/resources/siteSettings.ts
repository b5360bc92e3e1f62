import * as pulumi from "@pulumi/pulumi";
import { dynamicType } from "../engine/tokens";
import type { OnDelete } from "../settings/declaration";
import type { LintName } from "../settings/lints";
import type { Gap } from "../settings/readiness";
import { DYNAMIC, type Front } from "./front";
import type { InverterSettingsArgs } from "./inverterSettings";
import { siteFacts } from "./program";
import { isOfType } from "./settingsResource";
import { shortenTraces } from "./traces";
import type { VehicleSettingsArgs } from "./vehicleSettings";

/** A device of a site that something else manages: it is read, never written, and its reported values count. */
export interface ObservedDeviceArgs {
  /** Device identifier at the service. */
  deviceId: pulumi.Input<string>;
  /** The business that the device belongs to. Default: the site's. */
  businessId?: pulumi.Input<string | undefined>;
  observe: true;
}

/** A vehicle of a site. One that declares a `policy` keeps it, and is left out of readiness. */
export type SiteVehicleArgs = (VehicleSettingsArgs & { observe?: false }) | ObservedDeviceArgs;

/** An inverter of a site. Its latitude is the site's. */
export type SiteInverterArgs = (Omit<InverterSettingsArgs, "latitude"> & { observe?: false }) | ObservedDeviceArgs;

/** The devices of one site, each with a name of your choice. */
export interface SiteSettingsArgs {
  /** Vehicles by name. Default: none. */
  vehicles?: pulumi.Input<Readonly<Record<string, pulumi.Input<SiteVehicleArgs>>> | undefined>;
  /** Inverters by name. Default: none. */
  inverters?: pulumi.Input<Readonly<Record<string, pulumi.Input<SiteInverterArgs>>> | undefined>;
  /** Latitude of the site in degrees, -90 to 90, north positive. It is not sent: with it, azimuths are checked. */
  latitude?: pulumi.Input<number | string | undefined>;
  /** Whether the site is made ready for solar-aware charging. Default: whether it has inverters. */
  solar?: pulumi.Input<boolean | undefined>;
  /** Whether a site that lacks something is refused, in the preview already. Default: false. */
  requireReady?: pulumi.Input<boolean | undefined>;
  /** The business of devices that do not name theirs. Default: `solar-charging:businessId`. */
  businessId?: pulumi.Input<string | undefined>;
  /** What a delete does to devices that do not say so themselves. Default: `retain`. */
  onDelete?: pulumi.Input<OnDelete | undefined>;
  /** Lints that are switched off for the whole site. Default: none. */
  ignoreLints?: pulumi.Input<readonly LintName[] | undefined>;
}

/**
 * Declares the settings of all devices of one site, and makes it ready for solar-aware charging: inverters first, then
 * vehicles, each with the policy CHARGE BY FORECAST if nothing that it needs is missing.
 * @example
 * const berlin = new SiteSettings("berlin", {
 *   vehicles: { van: { deviceId: "van-1", maxCapacity: "77 kWh", maxChargePower: "11 kW" } },
 *   inverters: {
 *     roof: { deviceId: "roof-1", peakPower: "9.8 kWp", azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 },
 *   },
 * });
 * export const missing = berlin.missing;
 */
export class SiteSettings extends pulumi.CustomResource {
  /** @internal */
  static readonly __pulumiType: string = dynamicType("SiteSettings");
  /** @internal */
  static readonly front: Front = DYNAMIC;

  /** Whether nothing is missing: all that a solar-aware site needs is declared and accepted. */
  declare readonly ready: pulumi.Output<boolean>;
  /** What is missing, one entry for each device and setting. */
  declare readonly gaps: pulumi.Output<Gap[]>;
  /** The gaps in words, such as `vehicle/van: maxCapacity is not declared`. */
  declare readonly missing: pulumi.Output<string[]>;
  /** What was accepted and is not seen, such as `vehicle/van: maxCapacity accepted, not reported`. */
  declare readonly unverified: pulumi.Output<string[]>;
  /**
   * What is kept of each device, by `vehicle/<name>` or `inverter/<name>`: its declared, reported and baseline values.
   * A value that you declare as a secret is not encrypted in it.
   */
  declare readonly devices: pulumi.Output<Record<string, Record<string, unknown>>>;

  /** Whether `obj` is a `SiteSettings`, also one of another copy of this package. */
  static override isInstance(obj: unknown): obj is SiteSettings {
    return isOfType(SiteSettings.__pulumiType, obj);
  }

  constructor(name: string, args: SiteSettingsArgs, opts?: pulumi.CustomResourceOptions) {
    const { front } = new.target;
    const type = front.typeOf("SiteSettings");
    const outputs = ["ready", "gaps", "missing", "unverified", "devices"];
    const properties = {
      ...Object.fromEntries(outputs.map((key) => [key, undefined])),
      ...args,
      site: name,
      ...front.hidden("site", () => siteFacts(type, name, { ...args }, opts?.parent)),
    };
    const restore = shortenTraces();
    try {
      super(type, name, properties, front.options("SiteSettings", opts));
    } finally {
      restore();
    }
  }
}
