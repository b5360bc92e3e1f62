import * as pulumi from "@pulumi/pulumi";
import { ownPlugin } from "../engine/plugin";
import { dynamicType, nativeType, PROVIDER_KEY, providerString } from "../engine/tokens";
import type { Facts } from "./program";
import { warnOfMisspelled } from "./programRun";

/** How the classes reach their provider: there are two ways, and their arguments and outputs are the same. */
export interface Front {
  /** The type token of a class. */
  typeOf(className: string): string;
  /** The properties that the provider gets beside the arguments. @param facts those that only the program knows */
  hidden(exported: "vehicle" | "inverter" | "site", facts: () => Facts | undefined): pulumi.Inputs;
  /** The options of a resource of this class. */
  options(className: string, opts: pulumi.CustomResourceOptions | undefined): pulumi.CustomResourceOptions;
}

/** A stack that comes from the other front keeps its resources. */
function aliased(type: string, opts: pulumi.CustomResourceOptions | undefined): pulumi.CustomResourceOptions {
  return pulumi.mergeOptions(opts, { aliases: [{ type }] });
}

/** Pulumi's host of dynamic resources loads this package: there is nothing else to install. */
export const DYNAMIC: Front = {
  typeOf: dynamicType,
  hidden(exported, facts) {
    warnOfMisspelled();
    return { __program: facts(), [PROVIDER_KEY]: providerString(exported) };
  },
  options: (className, opts) => aliased(nativeType(className), opts),
};

/** The engine starts the native plugin, and downloads it if it is not there. */
export const NATIVE: Front = {
  typeOf: nativeType,
  hidden: () => ({}),
  options: (className, opts) => ({ ...ownPlugin(), ...aliased(dynamicType(className), opts) }),
};
