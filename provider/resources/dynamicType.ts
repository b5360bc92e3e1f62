/** Type token of a dynamic resource, by its class. It is in the state of every stack, so it never changes. */
export function dynamicType(className: string): string {
  return `pulumi-nodejs:dynamic/solar-charging:${className}`;
}

/**
 * What the engine keeps as the provider of a resource: Pulumi's host of dynamic resources evaluates it. It is in the
 * state of every stack, so it never changes.
 * @param exported an export of `pulumi-solar-charging/host`
 */
export function providerString(exported: "vehicle" | "inverter" | "site"): string {
  return `exports.handler=()=>require("pulumi-solar-charging/host").${exported}`;
}
