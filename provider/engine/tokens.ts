/** Type token of a dynamic resource, by its class. It is in the state of every stack, so it never changes. */
export function dynamicType(className: string): string {
  return `pulumi-nodejs:dynamic/solar-charging:${className}`;
}

/** Type token of a resource of the native plugin, by its class. It never changes either. */
export function nativeType(className: string): string {
  return `solar-charging:index:${className}`;
}

/** The key under which the engine keeps the provider string of a dynamic resource. */
export const PROVIDER_KEY = "__provider";

/**
 * The provider of a resource in the engine's state: Pulumi's host of dynamic resources evaluates it. It is in the
 * state of every stack, so it never changes.
 * @param exported an export of `pulumi-solar-charging/host`
 */
export function providerString(exported: "vehicle" | "inverter" | "site"): string {
  return `exports.handler=()=>require("pulumi-solar-charging/host").${exported}`;
}

/** Our part of a resource's inputs or outputs. */
export function ours({ [PROVIDER_KEY]: _, ...properties }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return properties;
}
