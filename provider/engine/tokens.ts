import type { Properties } from "../settings/objects";
/** Type token of the dynamic resource of a class. It is in the state of every stack, so it never changes. */
export function dynamicType(className: string): string {
  return `pulumi-nodejs:dynamic/solar-charging:${className}`;
}

/** Type token of the native plugin's resource of a class. It never changes either. */
export function nativeType(className: string): string {
  return `solar-charging:index:${className}`;
}

/** The kinds of our resources, by their class. */
const KINDS = { SiteSettings: "site", VehicleSettings: "vehicle", InverterSettings: "inverter" } as const;

export type ResourceKind = (typeof KINDS)[keyof typeof KINDS];

const KINDS_BY_TYPE: ReadonlyMap<string, ResourceKind> = new Map(
  Object.entries(KINDS).flatMap(([name, kind]) => [dynamicType, nativeType].map((type) => [type(name), kind])),
);

/** The kind of a resource of ours, dynamic or of the native plugin; undefined for foreign resources. */
export function kindOfType(type: string): ResourceKind | undefined {
  return KINDS_BY_TYPE.get(type);
}

/** The key under which the engine keeps the provider string of a dynamic resource. */
export const PROVIDER_KEY = "__provider";

/** Removes the keys with two underscores, which dynamic resources leave in their inputs and outputs. */
export function withoutFront(properties: Properties): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !key.startsWith("__")));
}

/**
 * The code of a dynamic resource's provider, as a text. Pulumi's host of dynamic resources evaluates it. It is in the
 * state of every stack, so it never changes.
 * @param exported an export of `pulumi-solar-charging/host`
 */
export function providerString(exported: "vehicle" | "inverter" | "site"): string {
  return `exports.handler=()=>require("pulumi-solar-charging/host").${exported}`;
}
