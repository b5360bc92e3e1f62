import * as pulumi from "@pulumi/pulumi";
import type { Verification } from "../handlers/verification";
import type { OnDelete } from "../settings/schema";
import { type ChargePolicy, vehicle } from "../settings/vehicle";
import { propertiesOf, typeToken } from "./properties";

/** The settings of one electric vehicle. What is not declared is left to others and never changed. */
export interface VehicleSettingsArgs {
  /** Device identifier of the vehicle at the service. A change replaces the resource. */
  deviceId: pulumi.Input<string>;
  /** The business that the vehicle belongs to. Default: `solar-charging:businessId`. A change replaces the resource. */
  businessId?: pulumi.Input<string>;
  /** Battery capacity in Wh, 1000 to 300000 (interface 2.5). The service assumes 80000 where nothing is known. */
  maxCapacity?: pulumi.Input<number>;
  /** Maximum charge power in W, 1000 to 350000 (interface 2.5). The service assumes 7200 where nothing is known. */
  maxChargePower?: pulumi.Input<number>;
  /** `CHARGE BY` (the service's default) goes by price, `CHARGE BY FORECAST` by the solar forecast too (interface 3.2). */
  policy?: pulumi.Input<ChargePolicy>;
  /**
   * What a delete does to the vehicle: `retain` (default) leaves it as it is, `restore` writes back what the declared
   * keys were before, `reset` writes the service's defaults.
   */
  onDelete?: pulumi.Input<OnDelete>;
}

/** Values of a vehicle that the service reports, by key. */
export interface ReportedVehicleSettings {
  maxCapacity?: number;
  maxChargePower?: number;
  policy?: string;
}

/** Declares settings of one electric vehicle, which exists already: creating adopts it, deleting lets go of it. */
export class VehicleSettings extends pulumi.CustomResource {
  /** @internal */
  static readonly __pulumiType = typeToken(vehicle);

  declare readonly deviceId: pulumi.Output<string>;
  declare readonly businessId: pulumi.Output<string>;
  declare readonly maxCapacity: pulumi.Output<number | undefined>;
  declare readonly maxChargePower: pulumi.Output<number | undefined>;
  declare readonly policy: pulumi.Output<ChargePolicy | undefined>;
  declare readonly onDelete: pulumi.Output<OnDelete | undefined>;
  /** The settings that the cached read showed last, declared or not. */
  declare readonly reported: pulumi.Output<ReportedVehicleSettings>;
  /** What the declared settings were before they were first written, where the service reported it. Not after `get`. */
  declare readonly baseline: pulumi.Output<ReportedVehicleSettings>;
  /** How each declared setting was read back. Not after `get`. */
  declare readonly verification: pulumi.Output<Record<string, Verification>>;

  /** Reads a vehicle without owning it: shows everything that the cached read shows, and never changes it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): VehicleSettings {
    return new VehicleSettings(name, {} as VehicleSettingsArgs, { ...opts, id });
  }

  /** Whether `obj` is a `VehicleSettings`, also one of another copy of this package. */
  static override isInstance(obj: unknown): obj is VehicleSettings {
    return (
      pulumi.CustomResource.isInstance(obj) &&
      "__pulumiType" in obj &&
      obj.__pulumiType === VehicleSettings.__pulumiType
    );
  }

  constructor(name: string, args: VehicleSettingsArgs, opts?: pulumi.CustomResourceOptions) {
    super(VehicleSettings.__pulumiType, name, propertiesOf(vehicle, name, { ...args }, opts), opts);
  }
}
