import type * as pulumi from "@pulumi/pulumi";
import { dynamicType } from "../engine/tokens";
import { type ChargePolicy, vehicle } from "../settings/vehicle";
import type { Verification } from "../settings/verification";
import { type BySetting, isOfType, type SettingsArgs, SettingsResource } from "./settingsResource";

/** The settings of one electric vehicle. A setting that you do not declare is never changed. */
export interface VehicleSettingsArgs extends SettingsArgs {
  /** Battery capacity in Wh; the service documents 1000 to 300000. It assumes 80000 if it knows nothing. */
  maxCapacity?: pulumi.Input<number | string | undefined>;
  /** Maximum charge power in W; the service documents 1000 to 350000. It assumes 7200 if it knows nothing. */
  maxChargePower?: pulumi.Input<number | string | undefined>;
  /** `CHARGE BY` (the service's default) goes by price, `CHARGE BY FORECAST` by the solar forecast too. */
  policy?: pulumi.Input<ChargePolicy | undefined>;
}

/** Values of a vehicle that the service reports, by key. */
export interface ReportedVehicleSettings {
  maxCapacity?: number;
  maxChargePower?: number;
  policy?: string;
}

/** What may be known already of a vehicle that `get` reads. Nothing of it is needed, and nothing of it is sent. */
export type VehicleSettingsState = Partial<Omit<VehicleSettingsArgs, "ignoreLints" | "onDelete">>;

/**
 * Declares settings of one electric vehicle. For a whole site, see `SiteSettings`.
 * @example
 * const car = new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh", onDelete: "restore" });
 */
export class VehicleSettings extends SettingsResource {
  /** @internal */
  static readonly __pulumiType: string = dynamicType(vehicle.resource);

  /** Battery capacity in Wh; undefined if it is not declared. */
  declare readonly maxCapacity: pulumi.Output<number | undefined>;
  /** Maximum charge power in W; undefined if it is not declared. */
  declare readonly maxChargePower: pulumi.Output<number | undefined>;
  /** The policy; undefined if it is not declared. */
  declare readonly policy: pulumi.Output<ChargePolicy | undefined>;
  /** The settings that the cached read showed last, declared or not. */
  declare readonly reported: pulumi.Output<ReportedVehicleSettings>;
  /** What the declared settings were before this stack first wrote them, if the service reported it. Not after `get`. */
  declare readonly baseline: pulumi.Output<ReportedVehicleSettings>;
  /** The last value that we wrote, if somebody has changed it since. */
  declare readonly written: pulumi.Output<ReportedVehicleSettings | undefined>;
  /** How each declared setting reads back. Not after `get`. */
  declare readonly verification: pulumi.Output<BySetting<ReportedVehicleSettings, Verification>>;
  /** What updates of unknown outcome sent, for settings of which the service has accepted nothing since. */
  declare readonly attempted: pulumi.Output<BySetting<ReportedVehicleSettings, (number | string)[]> | undefined>;

  /** Reads a vehicle without managing it: shows everything that the cached read shows, and never changes it. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: VehicleSettingsState,
    opts?: pulumi.CustomResourceOptions,
  ): VehicleSettings {
    // In the native front, `this` is the class of that front.
    return new this(name, { ...state } as VehicleSettingsArgs, { ...opts, id });
  }

  /** Whether `obj` is a `VehicleSettings`, also one of another copy of this package. */
  static override isInstance(obj: unknown): obj is VehicleSettings {
    return isOfType(VehicleSettings.__pulumiType, obj);
  }

  constructor(name: string, args: VehicleSettingsArgs, opts?: pulumi.CustomResourceOptions) {
    super(vehicle, name, { ...args }, opts);
  }
}
