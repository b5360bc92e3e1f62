import * as pulumi from "@pulumi/pulumi";
import type { GetDeviceArgs, GetDeviceResult } from "../engine/deviceView";
import type { EngineRun } from "../run";
import { explainStatus, type StatusExplanation } from "../status/explain";
import { userError } from "./privateHooks";
import { programRun } from "./programRun";

/** The device that `getDeviceOutput` reads. Its ids may be known later. */
export interface GetDeviceOutputArgs {
  /** Device identifier at the service. */
  deviceId: pulumi.Input<string>;
  /** The business that the device belongs to. Default: `solar-charging:businessId`. */
  businessId?: pulumi.Input<string | undefined>;
}

/** The statuses that `explainStatusOutput` explains. They may be known later. */
export interface ExplainStatusOutputArgs {
  /** Status of the service for the vehicle, such as `active_waiting`. */
  serviceStatus: pulumi.Input<string>;
  /** Status of the car, such as `unplugged`. */
  chargingStatus?: pulumi.Input<string | undefined>;
}

/**
 * Reads a device from the service's cache, in previews too. It wakes no car.
 * @throws pulumi.RunError if there is no such device, or the service cannot be reached
 * @example
 * const { config } = await getDevice({ deviceId: "car-1" });
 * console.log(config?.chargeBy); // such as 07:00
 */
export function getDevice(args: GetDeviceArgs): Promise<GetDeviceResult> {
  return reading(async (run) => (await import("../engine/getDevice.js")).readDevice(run, args));
}

/**
 * Reads a device as `getDevice` does, for ids that may be known later. Read `personal` and `raw` in an `apply`.
 * @param opts `dependsOn`: resources that are made first, so that an update reads the device after it has set it
 * @example
 * const car = getDeviceOutput({ deviceId: "car-1" });
 * export const chargeBy = car.apply(({ config }) => config?.chargeBy);
 */
export function getDeviceOutput(
  args: GetDeviceOutputArgs,
  opts: Pick<pulumi.InvokeOutputOptions, "dependsOn"> = {},
): pulumi.Output<GetDeviceResult> {
  const resources = pulumi.output(opts.dependsOn ?? []).apply((one) => [one].flat() as pulumi.Resource[]);
  const made = resources.apply((all) => pulumi.all(all.map(({ urn }) => urn)));
  return pulumi.all([args, made]).apply(([given]) => getDevice(given));
}

/**
 * Reads the latest measurements of a device, such as its state of charge. The service does not document their names.
 * **Warning:** the service may ask the vehicle for them, which wakes a sleeping car and can harm its 12 V battery. So
 * the function fails without `allowWake` and in previews, and it is never retried.
 * @throws pulumi.RunError without `allowWake`, in a preview, or if `getDevice` would fail
 * @example
 * const metrics = pulumi.runtime.isDryRun() ? undefined : getLatestMetrics({ deviceId: "car-1", allowWake: true });
 */
export function getLatestMetrics(
  args: GetDeviceArgs & { readonly allowWake: true },
): Promise<Readonly<Record<string, unknown>>> {
  return reading(async (run) => {
    const { readLatestMetrics } = await import("../engine/getDevice.js");
    return readLatestMetrics(run, { ...args, isPreview: pulumi.runtime.isDryRun() });
  });
}

/**
 * Reads the latest measurements as `getLatestMetrics` does, for ids that may be known later. In a preview, it fails.
 * @example
 * const metrics = pulumi.runtime.isDryRun() ? undefined : getLatestMetricsOutput({ deviceId: "car-1", allowWake: true });
 */
export function getLatestMetricsOutput(
  args: GetDeviceOutputArgs & { readonly allowWake: true },
): pulumi.Output<Readonly<Record<string, unknown>>> {
  return pulumi.output(args).apply((given) => getLatestMetrics({ ...given, allowWake: args.allowWake }));
}

/**
 * Explains the status of a vehicle as `explainStatus` does, for statuses that may be known later.
 * @example
 * const car = getDeviceOutput({ deviceId: "car-1" });
 * export const { meaning } = explainStatusOutput({ serviceStatus: car.apply(({ serviceStatus = "" }) => serviceStatus) });
 */
export function explainStatusOutput(args: ExplainStatusOutputArgs): pulumi.Output<StatusExplanation> {
  return pulumi.output(args).apply(({ serviceStatus, chargingStatus }) => explainStatus(serviceStatus, chargingStatus));
}

/** Turns a failed read into an error without a stack trace, which would show nothing of the program. */
async function reading<T>(read: (run: EngineRun) => Promise<T>): Promise<T> {
  try {
    return await read(await programRun());
  } catch (error) {
    throw userError((error as Error).message);
  }
}
