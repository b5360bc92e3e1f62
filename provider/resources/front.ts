import * as pulumi from "@pulumi/pulumi";
import { ownPlugin } from "../engine/plugin";
import { dynamicType, nativeType, PROVIDER_KEY, providerString } from "../engine/tokens";
import { IS_LAUNCHED, refuseUnreachable } from "./privateHooks";
import { oncePerProgram, warnOfMisspelled } from "./programRun";

/**
 * The connection of a class to its provider, which is a dynamic one or the plugin. Both have the same arguments and
 * outputs.
 */
export interface Front {
  /** The type token of a class. */
  typeOf(className: string): string;
  /**
   * The properties that the provider gets besides the arguments.
   * @param context returns facts that only the program knows
   */
  hidden(exported: "vehicle" | "inverter" | "site", context: () => pulumi.Inputs): pulumi.Inputs;
  options(className: string, opts: pulumi.CustomResourceOptions | undefined): pulumi.CustomResourceOptions;
}

/** The options with an alias, so that a stack that moves from the other front keeps its resources. */
function aliased(type: string, opts: pulumi.CustomResourceOptions | undefined): pulumi.CustomResourceOptions {
  return pulumi.mergeOptions(opts, { aliases: [{ type }] });
}

/** Checks once for each program. Without this, each resource would search the disk for the package. */
const refuseUnreachableHost = oncePerProgram(() => {
  if (IS_LAUNCHED) refuseUnreachable();
});

/** Pulumi's host of dynamic resources loads this package: there is nothing else to install. */
export const DYNAMIC: Front = {
  typeOf: dynamicType,
  hidden(exported, context) {
    refuseUnreachableHost();
    warnOfMisspelled();
    return { ...context(), [PROVIDER_KEY]: providerString(exported) };
  },
  options: (className, opts) => aliased(nativeType(className), opts),
};

/** The engine starts the native plugin, and downloads it if necessary. */
export const NATIVE: Front = {
  typeOf: nativeType,
  hidden: () => ({}),
  options: (className, opts) => ({ ...ownPlugin(), ...aliased(dynamicType(className), opts) }),
};
