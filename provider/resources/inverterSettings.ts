import type * as pulumi from "@pulumi/pulumi";
import type { ReportedSettings } from "../engine/deviceView";
import { dynamicType } from "../engine/tokens";
import type { AzimuthConvention, CardinalName } from "../settings/azimuth";
import type { OnDelete } from "../settings/declaration";
import { inverter } from "../settings/inverter";
import { isOfType, type SettingStates, type SettingsArgs, SettingsResource } from "./settingsResource";
import type { ReportedVehicleSettings } from "./vehicleSettings";

/** One plane of panels on an inverter. All three settings are needed. */
export interface PlaneArgs extends Needed<Pick<InverterSettingsArgs, "peakPower" | "azimuth" | "tilt">> {}

type Needed<Args> = { [Key in keyof Args]-?: pulumi.Input<NonNullable<pulumi.Unwrap<Args[Key]>>> };

/** One plane of panels, in the outputs. */
export interface Plane {
  /** Peak power in W. */
  peakPower: number;
  /** Direction in degrees, clockwise from north. */
  azimuth: number;
  /** Slope in degrees; 0 is level. */
  tilt: number;
}

/** An azimuth: degrees, a point of the compass, a text with its unit, or degrees in a named convention. */
export type AzimuthInput =
  | number
  | CardinalName
  | string
  | {
      /** Degrees, in the range of the convention. */
      readonly degrees: pulumi.Input<number>;
      /** The way in which the degrees are counted. */
      readonly convention: pulumi.Input<AzimuthConvention>;
    }
  | undefined;

/**
 * The settings of one solar inverter. A setting that you do not declare is never changed. The service documents neither
 * their names nor ranges nor defaults: ranges and units are our choice, and `solar-charging:inverterFields` sets the
 * names.
 */
export interface InverterSettingsArgs extends SettingsArgs {
  /**
   * Peak power of the panels. A number is in W, from 100 to 10000000 (our choice: the service documents no range). A
   * text has a unit: W, kW, MW, Wp, kWp or MWp.
   */
  peakPower?: pulumi.Input<number | string | undefined>;
  /**
   * Where the panels face, as a compass bearing: 0 north, 90 east, 180 south, 270 west. A number is in degrees, from 0
   * to 360 (our choice: the service documents no range). A text has a unit: °, deg or degrees. Other forms: a point of
   * the compass, or degrees in a named convention.
   */
  azimuth?: pulumi.Input<AzimuthInput>;
  /**
   * The angle of the panels, from horizontal: 0 flat, 90 upright. A number is in degrees, from 0 to 90 (our choice: the
   * service documents no range). A text has a unit: °, deg or degrees.
   */
  tilt?: pulumi.Input<number | string | undefined>;
  /**
   * The planes of panels on one inverter, 1 to 12, in place of peakPower, azimuth and tilt. The service takes one of
   * each: the provider sends the one plane that comes nearest to them in a year of clear days. Without a latitude, it
   * is their vector sum. The outputs `peakPower`, `azimuth` and `tilt` are those of that plane.
   */
  planes?: pulumi.Input<readonly pulumi.Input<PlaneArgs>[] | undefined>;
  /**
   * Power from which the inverter delivers. A number is in W, from 0 to below peakPower (our choice: the service
   * documents no range). A text has a unit: W, kW or MW.
   */
  cutInThreshold?: pulumi.Input<number | string | undefined>;
  /**
   * Power that the site uses all the time. A number is in W, from 0 to 1000000 (our choice: the service documents no
   * range). A text has a unit: W, kW or MW.
   */
  baseLoad?: pulumi.Input<number | string | undefined>;
  /**
   * The effect of a delete on the inverter: `retain` (default) leaves its values; `restore` writes back the values from
   * before the first update.
   */
  onDelete?: pulumi.Input<Exclude<OnDelete, "reset"> | undefined>;
  /**
   * Latitude, north positive. It is not sent; the provider checks azimuths and fits planes with it. A number is in
   * degrees, from -90 to 90. A text has a unit: °, deg or degrees.
   */
  latitude?: pulumi.Input<number | string | undefined>;
}

/** Values of an inverter that the service reports, by key. */
export type ReportedInverterSettings = Omit<ReportedSettings, keyof ReportedVehicleSettings>;

/** The state of each setting of one inverter: declared, or only reported. */
export interface InverterSettingStates extends SettingStates<ReportedInverterSettings> {}

/** Values that a program may give to `InverterSettings.get`. None is needed, and none is sent. */
export type InverterSettingsState = Partial<
  Omit<InverterSettingsArgs, "deviceId" | "businessId" | "ignoreLints" | "onDelete" | "onDrift">
>;

/**
 * Declares the settings of one solar inverter, which exists already. For a whole site, see `SiteSettings`.
 * @example
 * const roof = new InverterSettings("roof", {
 *   deviceId: "roof", peakPower: "9.8 kWp", azimuth: "SSW", tilt: 35, cutInThreshold: "150 W", baseLoad: "400 W",
 * });
 * const gable = new InverterSettings("gable", {
 *   deviceId: "gable",
 *   planes: [
 *     { peakPower: "5 kWp", azimuth: "E", tilt: 30 },
 *     { peakPower: "5 kWp", azimuth: "W", tilt: 30 },
 *   ],
 *   cutInThreshold: "150 W",
 *   baseLoad: 0,
 *   latitude: 52.5,
 * });
 */
export class InverterSettings extends SettingsResource {
  /** @internal */
  static readonly __pulumiType: string = dynamicType(inverter.resource);

  /** Peak power of the panels. Unit: W. Undefined if it is not declared. */
  declare readonly peakPower: pulumi.Output<number | undefined>;
  /**
   * Where the panels face, as a compass bearing: 0 north, 90 east, 180 south, 270 west. Unit: degrees. Undefined if it
   * is not declared.
   */
  declare readonly azimuth: pulumi.Output<number | undefined>;
  /**
   * The angle of the panels, from horizontal: 0 flat, 90 upright. Unit: degrees. Undefined if it is not declared.
   */
  declare readonly tilt: pulumi.Output<number | undefined>;
  /** Power from which the inverter delivers. Unit: W. Undefined if it is not declared. */
  declare readonly cutInThreshold: pulumi.Output<number | undefined>;
  /** Power that the site uses all the time. Unit: W. Undefined if it is not declared. */
  declare readonly baseLoad: pulumi.Output<number | undefined>;
  /** The planes of panels, in W and degrees. Undefined if they are not declared. */
  declare readonly planes: pulumi.Output<Plane[] | undefined>;
  /** Latitude of the panels, in degrees, north positive. Undefined if it is not declared. */
  declare readonly latitude: pulumi.Output<number | undefined>;
  /**
   * The state of each setting, declared or only reported, by key. Absent after `get`, whose outputs are the reported
   * values.
   */
  declare readonly settings: pulumi.Output<InverterSettingStates>;

  /**
   * Reads an inverter without managing it. Its outputs are the values of the service's cached read.
   * @param name logical name of the resource
   * @param id `businessId/deviceId`, each part URI-encoded
   * @param state not needed, and not sent
   * @example
   * const { azimuth } = InverterSettings.get("roof-as-reported", "acme/roof-1");
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: InverterSettingsState,
    opts?: pulumi.CustomResourceOptions,
  ): InverterSettings {
    // In `pulumi-solar-charging/native`, `this` is the native class.
    return new this(name, { ...state } as InverterSettingsArgs, { ...opts, id });
  }

  /** Whether `obj` is an `InverterSettings`, of this copy of the package or another one. */
  static override isInstance(obj: unknown): obj is InverterSettings {
    return isOfType(InverterSettings.__pulumiType, obj);
  }

  constructor(name: string, args: InverterSettingsArgs, opts?: pulumi.CustomResourceOptions) {
    super(inverter, name, { ...args }, opts);
  }
}
