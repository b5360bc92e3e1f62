import type * as pulumi from "@pulumi/pulumi";
import { type DeviceKind, keysOf } from "../settings/setting";
import { declaredElsewhere } from "./owners";

/** Type token of a settings resource. */
export function typeToken({ resource }: DeviceKind): string {
  return `pulumi-nodejs:dynamic/solar-charging:${resource}`;
}

/**
 * What the engine keeps as the provider of a resource and hands to Pulumi's host of dynamic resources. It is in the
 * state of every stack, so it never changes.
 */
export function providerString({ name }: DeviceKind): string {
  return `exports.handler=()=>require("pulumi-solar-charging/host").${name}`;
}

/** The properties of a settings resource: its arguments, its outputs to be, and its provider. */
export function propertiesOf(
  kind: DeviceKind,
  name: string,
  args: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
  const outputs = ["businessId", "deviceId", ...keysOf(kind), "onDelete", "reported", "baseline", "verification"];
  return {
    ...Object.fromEntries(outputs.map((key) => [key, undefined])),
    ...args,
    // A resource that is only read owns nothing.
    declaredElsewhere: opts?.id === undefined ? declaredElsewhere(kind, name, args) : undefined,
    __provider: providerString(kind),
  };
}
