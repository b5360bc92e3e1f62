import * as pulumi from "@pulumi/pulumi";
import type { ReportedSettings } from "../engine/deviceView";
import { dynamicType } from "../engine/tokens";
import type { OnDelete, OnDrift } from "../settings/declaration";
import type { LintName } from "../settings/lints";
import type { Gap } from "../settings/readiness";
import type { ChargePolicy } from "../settings/vehicle";
import { DYNAMIC, type Front } from "./front";
import { hiddenInput, liveSite, refuseLost } from "./hidden";
import type { InverterSettingsArgs, Plane } from "./inverterSettings";
import { shortenTraces } from "./privateHooks";
import { type DriftInput, isOfType, type SettingStates, type SettingsArgs } from "./settingsResource";
import type { VehicleSettingsArgs } from "./vehicleSettings";

/**
 * A device of a site that another stack or a person manages. It is read and never written, and its reported values
 * count for `ready`.
 */
export interface ObservedDeviceArgs {
  /** Device identifier at the service. */
  deviceId: pulumi.Input<string>;
  /** The business that the device belongs to. Default: the site's. */
  businessId?: pulumi.Input<string | undefined>;
  /** The device is read, and never written. */
  observe: true;
}

/** A vehicle of a site. One that declares a `policy` keeps it, and is left out of readiness. */
export type SiteVehicleArgs =
  | (VehicleSettingsArgs & {
      /** Absent or `false`: its settings are declared here. With `true`, it is an `ObservedDeviceArgs`: read, never written. */
      observe?: false;
    })
  | ObservedDeviceArgs;

/** An inverter of a site. Its latitude is the site's. */
export type SiteInverterArgs =
  | (Omit<InverterSettingsArgs, "latitude"> & {
      /** Absent or `false`: its settings are declared here. With `true`, it is an `ObservedDeviceArgs`: read, never written. */
      observe?: false;
    })
  | ObservedDeviceArgs;

/** A device of a site as the outputs show it: its declared arguments, and the state of each setting. */
export interface SiteDevice
  extends Omit<ReportedSettings, "policy">,
    Partial<pulumi.Unwrap<Omit<SettingsArgs, "deviceId">>> {
  /** Device identifier at the service. */
  readonly deviceId: string;
  /** Charging policy: CHARGE BY goes by price alone, CHARGE BY FORECAST by the solar forecast too. */
  readonly policy?: ChargePolicy;
  /** Whether the device is only read. */
  readonly observe?: boolean;
  /** The planes of panels, if they are declared. */
  readonly planes?: Plane[];
  /** A hash of the id of the car or inverter, if the service shows one. */
  readonly physicalDevice?: string;
  /** The state of each setting. */
  readonly settings: DeviceSettingStates;
}

/** The state of each setting of a device of either kind: declared, or only reported. */
export interface DeviceSettingStates extends SettingStates<ReportedSettings> {}

/** The devices of one site, each with a name of your choice. */
export interface SiteSettingsArgs {
  /** Vehicles by name. Default: none. */
  vehicles?: pulumi.Input<Readonly<Record<string, pulumi.Input<SiteVehicleArgs>>> | undefined>;
  /** Inverters by name. Default: none. */
  inverters?: pulumi.Input<Readonly<Record<string, pulumi.Input<SiteInverterArgs>>> | undefined>;
  /**
   * Latitude, north positive. It is not sent; the provider checks azimuths and fits planes with it. A number is in
   * degrees, from -90 to 90. A text has a unit: °, deg or degrees.
   */
  latitude?: pulumi.Input<number | string | undefined>;
  /** Whether the site is made ready for solar-aware charging. Default: whether it has inverters. */
  solar?: pulumi.Input<boolean | undefined>;
  /** Whether a site that lacks something fails the preview and the update. Default: `false`. */
  requireReady?: pulumi.Input<boolean | undefined>;
  /** Default business id, for devices without a `businessId`. Default: `solar-charging:businessId`. */
  businessId?: pulumi.Input<string | undefined>;
  /** The effect of a delete on devices without an `onDelete`. Default: `retain`. */
  onDelete?: pulumi.Input<OnDelete | undefined>;
  /** The answer to somebody else's later values of devices without an `onDrift`. Default: `repair`. */
  onDrift?: DriftInput;
  /** Names of warnings that are off for the whole site. Default: none. */
  ignoreLints?: pulumi.Input<readonly LintName[] | undefined>;
}

/**
 * Declares the settings of all devices of one site, and makes it ready for solar-aware charging. The provider sends the
 * inverters' values first. Each vehicle then gets its values, and the policy CHARGE BY FORECAST if nothing that it needs
 * is missing. A device that fails does not stop the others.
 * @example
 * const berlin = new SiteSettings("berlin", {
 *   vehicles: {
 *     van: { deviceId: "van-1", maxCapacity: "77 kWh", maxChargePower: "11 kW" },
 *   },
 *   inverters: {
 *     roof: {
 *       deviceId: "roof-1",
 *       peakPower: "9.8 kWp",
 *       azimuth: "SSW",
 *       tilt: 35,
 *       cutInThreshold: "150 W",
 *       baseLoad: "400 W",
 *     },
 *   },
 * });
 * export const missing = berlin.missing;
 */
export class SiteSettings extends pulumi.CustomResource {
  /** @internal */
  static readonly __pulumiType: string = dynamicType("SiteSettings");
  /** @internal */
  static readonly front: Front = DYNAMIC;

  /**
   * Whether nothing is missing: the program declares all that a solar-aware site needs, and the service has accepted
   * it.
   */
  declare readonly ready: pulumi.Output<boolean>;
  /** The gaps of the site, one entry for each device and setting. */
  declare readonly gaps: pulumi.Output<Gap[]>;
  /** The gaps in words, such as `vehicle/van: maxCapacity is not declared`. */
  declare readonly missing: pulumi.Output<string[]>;
  /**
   * Settings that the service accepted and does not report as declared, such as `vehicle/van: maxCapacity accepted, not
   * reported`.
   */
  declare readonly unverified: pulumi.Output<string[]>;
  /**
   * The devices, by `vehicle/<name>` or `inverter/<name>`: their arguments, and in `settings` the state of each
   * setting. State keeps the record of a secret setting encrypted.
   */
  declare readonly devices: pulumi.Output<Record<string, SiteDevice>>;
  /** The policies that the site gives its vehicles, by their names. Undefined if it gives none. */
  declare readonly policies: pulumi.Output<Record<string, ChargePolicy> | undefined>;
  /** Latitude of the site, in degrees, north positive. Undefined if it is not declared. */
  declare readonly latitude: pulumi.Output<number | undefined>;
  /** Whether the site is made ready for solar-aware charging. Undefined if it is not declared. */
  declare readonly solar: pulumi.Output<boolean | undefined>;
  /** Whether a site that lacks something fails the preview and the update. Undefined if it is not declared. */
  declare readonly requireReady: pulumi.Output<boolean | undefined>;
  /** Default business id, for devices without a `businessId`. Undefined if it is not declared. */
  declare readonly businessId: pulumi.Output<string | undefined>;
  /** The effect of a delete on devices without an `onDelete`. Undefined if it is not declared, which means `retain`. */
  declare readonly onDelete: pulumi.Output<OnDelete | undefined>;
  /** The answer to somebody else's later values; undefined if it is not declared, which means `repair`. */
  declare readonly onDrift: pulumi.Output<OnDrift | Record<string, OnDrift> | undefined>;
  /** Names of warnings that are off for the whole site. Undefined if it is not declared. */
  declare readonly ignoreLints: pulumi.Output<LintName[] | undefined>;

  /** Whether `obj` is a `SiteSettings`, of this copy of the package or another one. */
  static override isInstance(obj: unknown): obj is SiteSettings {
    return isOfType(SiteSettings.__pulumiType, obj);
  }

  constructor(name: string, args: SiteSettingsArgs, opts?: pulumi.CustomResourceOptions) {
    const { front } = new.target;
    refuseLost(name, { ...args });
    const type = front.typeOf("SiteSettings");
    const properties = {
      ...Object.fromEntries(OUTPUTS.map((key) => [key, undefined])),
      ...args,
      ...front.hidden("site", () =>
        hiddenInput({ type, name, args: { ...args }, parent: opts?.parent, live: () => liveSite({ ...args }) }),
      ),
    };
    const restore = shortenTraces();
    try {
      super(type, name, properties, front.options("SiteSettings", opts));
    } finally {
      restore();
    }
  }
}

const OUTPUTS = [
  ...["ready", "gaps", "missing", "unverified", "devices", "policies"],
  ...["latitude", "solar", "requireReady", "businessId", "onDelete", "onDrift", "ignoreLints"],
];
