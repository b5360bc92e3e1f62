import type * as pulumi from "@pulumi/pulumi";
import { InverterSettings, VehicleSettings } from "../../provider";

/** The common part of the two classes, so that one test can cover both. */
export interface SettingsClass {
  new (name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource;
  get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: object,
    opts?: pulumi.CustomResourceOptions,
  ): pulumi.CustomResource;
  isInstance(obj: unknown): boolean;
}

export interface ClassUnderTest {
  readonly name: string;
  readonly Settings: SettingsClass;
  readonly token: string;
  readonly provider: string;
  /** One valid value for every argument. */
  readonly everyArgument: Readonly<Record<string, unknown>>;
}

// Token and provider string are in the state of every stack, so they are literals here, not imports.
export const CLASSES: readonly ClassUnderTest[] = [
  {
    name: "VehicleSettings",
    Settings: VehicleSettings as unknown as SettingsClass,
    token: "pulumi-nodejs:dynamic/solar-charging:VehicleSettings",
    provider: 'exports.handler=()=>require("pulumi-solar-charging/host").vehicle',
    everyArgument: {
      deviceId: "car",
      businessId: "acme",
      maxCapacity: 77_000,
      maxChargePower: 11_000,
      policy: "CHARGE BY FORECAST",
      onDelete: "restore",
    },
  },
  {
    name: "InverterSettings",
    Settings: InverterSettings as unknown as SettingsClass,
    token: "pulumi-nodejs:dynamic/solar-charging:InverterSettings",
    provider: 'exports.handler=()=>require("pulumi-solar-charging/host").inverter',
    everyArgument: {
      deviceId: "roof",
      businessId: "acme",
      peakPower: 9_800,
      azimuth: 180,
      tilt: 35,
      cutInThreshold: 120,
      baseLoad: 400,
      onDelete: "retain",
    },
  },
];
