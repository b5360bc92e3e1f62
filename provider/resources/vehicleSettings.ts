import type * as pulumi from "@pulumi/pulumi";
import type { ReportedSettings } from "../engine/deviceView";
import { dynamicType } from "../engine/tokens";
import { type ChargePolicy, vehicle } from "../settings/vehicle";
import { isOfType, type SettingStates, type SettingsArgs, SettingsResource } from "./settingsResource";

/** The settings of one electric vehicle. A setting that you do not declare is never changed. */
export interface VehicleSettingsArgs extends SettingsArgs {
  /**
   * Battery capacity, which caps how much energy a plan can target. A number is in Wh, from 1000 to 300000, as the
   * service documents. A text has a unit: Wh, kWh or MWh. If nothing is known, the service assumes 80000 Wh.
   */
  maxCapacity?: pulumi.Input<number | string | undefined>;
  /**
   * Maximum charge power, which caps the solar power that the service credits to the car per hour. A number is in W,
   * from 1000 to 350000, as the service documents. A text has a unit: W, kW or MW. If nothing is known, the service
   * assumes 7200 W.
   */
  maxChargePower?: pulumi.Input<number | string | undefined>;
  /**
   * Charging policy: CHARGE BY goes by price alone, CHARGE BY FORECAST by the solar forecast too. If nothing is known,
   * the service assumes CHARGE BY.
   */
  policy?: pulumi.Input<ChargePolicy | undefined>;
}

/** Values of a vehicle that the service reports, by key. */
export type ReportedVehicleSettings = Pick<ReportedSettings, "maxCapacity" | "maxChargePower" | "policy">;

/** The state of each setting of one vehicle: declared, or only reported. */
export interface VehicleSettingStates extends SettingStates<ReportedVehicleSettings> {}

/** Values that a program may give to `VehicleSettings.get`. None is needed, and none is sent. */
export type VehicleSettingsState = Partial<
  Omit<VehicleSettingsArgs, "deviceId" | "businessId" | "ignoreLints" | "onDelete" | "onDrift">
>;

/**
 * Declares the settings of one electric vehicle, which exists already. For a whole site, see `SiteSettings`.
 * @example
 * const car = new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh", onDelete: "restore" });
 */
export class VehicleSettings extends SettingsResource {
  /** @internal */
  static readonly __pulumiType: string = dynamicType(vehicle.resource);

  /** Battery capacity, which caps how much energy a plan can target. Unit: Wh. Undefined if it is not declared. */
  declare readonly maxCapacity: pulumi.Output<number | undefined>;
  /**
   * Maximum charge power, which caps the solar power that the service credits to the car per hour. Unit: W. Undefined
   * if it is not declared.
   */
  declare readonly maxChargePower: pulumi.Output<number | undefined>;
  /**
   * Charging policy: CHARGE BY goes by price alone, CHARGE BY FORECAST by the solar forecast too. Undefined if it is
   * not declared.
   */
  declare readonly policy: pulumi.Output<ChargePolicy | undefined>;
  /**
   * The state of each setting, declared or only reported, by key. Absent after `get`, whose outputs are the reported
   * values.
   */
  declare readonly settings: pulumi.Output<VehicleSettingStates>;

  /**
   * Reads a vehicle without managing it. Its outputs are the values of the service's cached read. It wakes no car.
   * @param name logical name of the resource
   * @param id `businessId/deviceId`, each part URI-encoded
   * @param state not needed, and not sent
   * @example
   * const { maxCapacity } = VehicleSettings.get("car-as-reported", "acme/car-1");
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: VehicleSettingsState,
    opts?: pulumi.CustomResourceOptions,
  ): VehicleSettings {
    // In `pulumi-solar-charging/native`, `this` is the native class.
    return new this(name, { ...state } as VehicleSettingsArgs, { ...opts, id });
  }

  /** Whether `obj` is a `VehicleSettings`, of this copy of the package or another one. */
  static override isInstance(obj: unknown): obj is VehicleSettings {
    return isOfType(VehicleSettings.__pulumiType, obj);
  }

  constructor(name: string, args: VehicleSettingsArgs, opts?: pulumi.CustomResourceOptions) {
    super(vehicle, name, { ...args }, opts);
  }
}
