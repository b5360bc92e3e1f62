import * as pulumi from "@pulumi/pulumi";
import type { GetDeviceArgs, GetDeviceResult } from "../lifecycle/deviceView";
import type { Run } from "../run";
import { programRun } from "./programRun";
import { userError } from "./userError";

/** Which device is read: `deviceId`, and `businessId`, by default the configured one. */
export interface GetDeviceOutputArgs {
  deviceId: pulumi.Input<string>;
  businessId?: pulumi.Input<string | undefined>;
}

/**
 * Reads a device as the service has it in its cache, in previews too. It wakes no car.
 * @throws pulumi.RunError if there is no such device, or the service cannot be reached
 */
export function getDevice(args: GetDeviceArgs): Promise<GetDeviceResult> {
  return reading(async (run) => (await import("../lifecycle/reading.js")).readDevice(run, args));
}

/**
 * As `getDevice`, for arguments that may be known later. `personal` and `raw` are read within an `apply`.
 * @param opts `dependsOn`: resources that are made first, so that an update reads the device after it has set it
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
 * Reads what the service has just measured, such as state of charge: numbers under names that are not documented. The
 * service may ask the vehicle for it, which wakes a sleeping car and can harm its 12 V battery. So it is
 * refused without `allowWake`, and in previews; and it is never tried again.
 * @throws pulumi.RunError as `getDevice`, and if it is refused
 */
export function getLatestMetrics(
  args: GetDeviceArgs & { readonly allowWake: true },
): Promise<Readonly<Record<string, unknown>>> {
  return reading(async (run) => {
    const { readLatestMetrics, refuseWaking } = await import("../lifecycle/reading.js");
    refuseWaking(args.allowWake, pulumi.runtime.isDryRun());
    return readLatestMetrics(run, args);
  });
}

/** A failed read is an error without a stack trace, which would show nothing of the program. */
async function reading<T>(read: (run: Run) => Promise<T>): Promise<T> {
  try {
    return await read(await programRun());
  } catch (error) {
    throw userError((error as Error).message);
  }
}
