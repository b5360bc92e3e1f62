import type * as pulumi from "@pulumi/pulumi";
import { dynamicType } from "../engine/tokens";
import type { AzimuthConvention, CardinalName } from "../settings/azimuth";
import type { OnDelete } from "../settings/declaration";
import { inverter } from "../settings/inverter";
import type { Verification } from "../settings/verification";
import { type BySetting, isOfType, type SettingsArgs, SettingsResource } from "./settingsResource";

/**
 * The settings of one solar inverter. A setting that you do not declare is never changed.
 * The service documents neither fields nor ranges of an inverter: ranges and units are our choice, and
 * `solar-charging:inverterFields` sets the wire names. No setting has a default, so `onDelete: "reset"` is refused.
 */
export interface InverterSettingsArgs extends SettingsArgs {
  /** Peak power of the panels in W, 100 to 1000000 (our choice). */
  peakPower?: pulumi.Input<number | string | undefined>;
  /**
   * Where the panels face: degrees as a compass bearing, 0 to 360 (0 north, 90 east, clockwise), a point of the compass
   * such as `"SSW"`, or degrees in a named convention. What is shown, sent and stored is the bearing (our choice).
   */
  azimuth?: pulumi.Input<
    | number
    | CardinalName
    | string
    | { readonly degrees: pulumi.Input<number>; readonly convention: pulumi.Input<AzimuthConvention> }
    | undefined
  >;
  /** How steep the panels stand, in degrees from horizontal, 0 to 90 (our choice). */
  tilt?: pulumi.Input<number | string | undefined>;
  /** Power from which the inverter delivers, in W, 0 to below `peakPower` (our choice). */
  cutInThreshold?: pulumi.Input<number | string | undefined>;
  /** What the site uses all the time, in W, 0 to 100000 (our choice). */
  baseLoad?: pulumi.Input<number | string | undefined>;
  /**
   * What a delete does to the inverter: `retain` (default) leaves it as it is; `restore` writes back what the declared
   * settings were before.
   */
  onDelete?: pulumi.Input<Exclude<OnDelete, "reset"> | undefined>;
  /** Where the panels stand, in degrees, -90 to 90, north positive. It is not sent: with it, the azimuth is checked. */
  latitude?: pulumi.Input<number | string | undefined>;
}

/** Values of an inverter that the service reports, by key. */
export interface ReportedInverterSettings {
  peakPower?: number;
  azimuth?: number;
  tilt?: number;
  cutInThreshold?: number;
  baseLoad?: number;
}

/** What may be known already of an inverter that `get` reads. Nothing of it is needed, and nothing of it is sent. */
export type InverterSettingsState = Partial<Omit<InverterSettingsArgs, "ignoreLints" | "onDelete">>;

/**
 * Declares settings of one solar inverter. For a whole site, see `SiteSettings`.
 * @example
 * const roof = new InverterSettings("roof", {
 *   deviceId: "roof", peakPower: "9.8 kWp", azimuth: "SSW", tilt: 35, cutInThreshold: "150 W", baseLoad: "400 W",
 * });
 */
export class InverterSettings extends SettingsResource {
  /** @internal */
  static readonly __pulumiType: string = dynamicType(inverter.resource);

  /** Peak power of the panels in W; undefined if it is not declared. */
  declare readonly peakPower: pulumi.Output<number | undefined>;
  /** Compass bearing that the panels face, in degrees, in whatever form it is declared; undefined if it is not declared. */
  declare readonly azimuth: pulumi.Output<number | undefined>;
  /** Degrees from horizontal; undefined if it is not declared. */
  declare readonly tilt: pulumi.Output<number | undefined>;
  /** Power from which the inverter delivers, in W; undefined if it is not declared. */
  declare readonly cutInThreshold: pulumi.Output<number | undefined>;
  /** What the site uses all the time, in W; undefined if it is not declared. */
  declare readonly baseLoad: pulumi.Output<number | undefined>;
  /** The settings that the cached read showed last, declared or not. */
  declare readonly reported: pulumi.Output<ReportedInverterSettings>;
  /** What the declared settings were before this stack first wrote them, if the service reported it. Not after `get`. */
  declare readonly baseline: pulumi.Output<ReportedInverterSettings>;
  /** The last value that we wrote, if somebody has changed it since. */
  declare readonly written: pulumi.Output<ReportedInverterSettings | undefined>;
  /** How each declared setting reads back. Not after `get`. */
  declare readonly verification: pulumi.Output<BySetting<ReportedInverterSettings, Verification>>;
  /** What updates of unknown outcome sent, for settings of which the service has accepted nothing since. */
  declare readonly attempted: pulumi.Output<BySetting<ReportedInverterSettings, (number | string)[]> | undefined>;

  /** Reads an inverter without managing it: shows everything that the cached read shows, and never changes it. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: InverterSettingsState,
    opts?: pulumi.CustomResourceOptions,
  ): InverterSettings {
    // In the native front, `this` is the class of that front.
    return new this(name, { ...state } as InverterSettingsArgs, { ...opts, id });
  }

  /** Whether `obj` is an `InverterSettings`, also one of another copy of this package. */
  static override isInstance(obj: unknown): obj is InverterSettings {
    return isOfType(InverterSettings.__pulumiType, obj);
  }

  constructor(name: string, args: InverterSettingsArgs, opts?: pulumi.CustomResourceOptions) {
    super(inverter, name, { ...args }, opts);
  }
}
