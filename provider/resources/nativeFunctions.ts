import * as pulumi from "@pulumi/pulumi";
import type { GetDeviceArgs, GetDeviceResult as WholeResult } from "../engine/deviceView";
import { ownPlugin } from "../engine/plugin";
import { nativeType } from "../engine/tokens";
import type { GetDeviceOutputArgs } from "./getDevice";
import { userError } from "./privateHooks";

/** A device as the cached read shows it, without the fields that identify its owner or are not documented. */
export type GetDeviceResult = Omit<WholeResult, "personal" | "raw">;

/**
 * Reads a device from the service's cache, in previews too. It wakes no car.
 * @param opts `provider`, or a `parent` that has one: the read uses that provider's configuration
 * @throws pulumi.RunError if there is no such device, or the service cannot be reached
 * @example
 * const acme = new Provider("acme", { businessId: "acme" });
 * const { config } = await getDevice({ deviceId: "car-1" }, { provider: acme });
 */
export function getDevice(args: GetDeviceArgs, opts?: pulumi.InvokeOptions): Promise<GetDeviceResult> {
  return invoke("getDevice", args, opts);
}

/**
 * Reads a device as `getDevice` does, for ids that may be known later.
 * @example
 * const car = getDeviceOutput({ deviceId: "car-1" });
 * export const chargeBy = car.apply(({ config }) => config?.chargeBy);
 */
export function getDeviceOutput(
  args: GetDeviceOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetDeviceResult> {
  return pulumi.runtime.invokeOutput(nativeType("getDevice"), { ...args }, { ...ownPlugin(), ...opts });
}

/**
 * Reads the latest measurements of a device, such as its state of charge. The service does not document their names.
 * **Warning:** the service may ask the vehicle for them, which wakes a sleeping car and can harm its 12 V battery. So
 * the function fails without `allowWake` and in previews, and it is never retried.
 * @throws pulumi.RunError without `allowWake`, in a preview, or if `getDevice` would fail
 * @example
 * const metrics = pulumi.runtime.isDryRun() ? undefined : getLatestMetrics({ deviceId: "car-1", allowWake: true });
 */
export async function getLatestMetrics(
  args: GetDeviceArgs & { readonly allowWake: true },
  opts?: pulumi.InvokeOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { metrics } = await invoke<{ metrics: Readonly<Record<string, unknown>> }>("getLatestMetrics", args, opts);
  return metrics;
}

/**
 * Reads the latest measurements as `getLatestMetrics` does, for ids that may be known later. In a preview, it fails.
 * @example
 * const metrics = pulumi.runtime.isDryRun() ? undefined : getLatestMetricsOutput({ deviceId: "car-1", allowWake: true });
 */
export function getLatestMetricsOutput(
  args: GetDeviceOutputArgs & { readonly allowWake: true },
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Readonly<Record<string, unknown>>> {
  const answer = pulumi.runtime.invokeOutput<{ metrics: Readonly<Record<string, unknown>> }>(
    nativeType("getLatestMetrics"),
    { ...args },
    { ...ownPlugin(), ...opts },
  );
  return answer.apply(({ metrics }) => metrics);
}

/**
 * Calls a function of the plugin. A failure becomes an error without a stack trace, which would show nothing of the
 * program.
 */
async function invoke<T>(name: string, args: object, opts: pulumi.InvokeOptions | undefined): Promise<T> {
  try {
    return await pulumi.runtime.invoke(nativeType(name), { ...args }, { ...ownPlugin(), ...opts });
  } catch (error) {
    throw userError((error as Error).message);
  }
}
