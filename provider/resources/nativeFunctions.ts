import * as pulumi from "@pulumi/pulumi";
import { ownPlugin } from "../engine/plugin";
import { nativeType } from "../engine/tokens";
import type { GetDeviceArgs, GetDeviceResult as WholeResult } from "../lifecycle/deviceView";
import type { GetDeviceOutputArgs } from "./getDevice";
import { userError } from "./userError";

/** A device as the cached read shows it. What identifies its owner and what is not documented does not reach a program. */
export type GetDeviceResult = Omit<WholeResult, "personal" | "raw">;

/**
 * Reads a device as the service has it in its cache, in previews too. It wakes no car.
 * @param opts with `provider`, or a `parent` that has one, as that provider is configured
 * @throws pulumi.RunError if there is no such device, or the service cannot be reached
 */
export function getDevice(args: GetDeviceArgs, opts?: pulumi.InvokeOptions): Promise<GetDeviceResult> {
  return invoke("getDevice", args, opts);
}

/** As `getDevice`, for arguments that may be known later. */
export function getDeviceOutput(
  args: GetDeviceOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetDeviceResult> {
  return pulumi.runtime.invokeOutput(nativeType("getDevice"), { ...args }, { ...ownPlugin(), ...opts });
}

/**
 * Reads what the service has just measured, such as state of charge: numbers under names that are not documented. The
 * service may ask the vehicle for it, which wakes a sleeping car and can harm its 12 V battery. So it is
 * refused without `allowWake`, and in previews; and it is never tried again.
 * @throws pulumi.RunError as `getDevice`, and if it is refused
 */
export async function getLatestMetrics(
  args: GetDeviceArgs & { readonly allowWake: true },
  opts?: pulumi.InvokeOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { metrics } = await invoke<{ metrics: Readonly<Record<string, unknown>> }>("getLatestMetrics", args, opts);
  return metrics;
}

/** Calls a function of the plugin. A call that fails is an error without a stack trace, which would show nothing of the program. */
async function invoke<T>(name: string, args: object, opts: pulumi.InvokeOptions | undefined): Promise<T> {
  try {
    return await pulumi.runtime.invoke(nativeType(name), { ...args }, { ...ownPlugin(), ...opts });
  } catch (error) {
    throw userError((error as Error).message);
  }
}
