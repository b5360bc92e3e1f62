import { readDevice, readLatestMetrics, refuseWaking } from "../lifecycle/reading";
import type { Properties } from "../lifecycle/state";
import type { Run } from "../run";
import { explainStatus } from "../status/explain";

/** What a function is called with, beside its arguments. */
export interface Context {
  readonly run: () => Run;
  /** Undefined if the engine is too old to say so. */
  readonly isPreview: boolean | undefined;
}

/** The functions of the package, by name. */
export const FUNCTIONS: Readonly<Record<string, (args: Properties, context: Context) => unknown>> = {
  getDevice: (args, { run }) => readDevice(run(), deviceOf(args)),
  getLatestMetrics: async (args, { run, isPreview }) => {
    if (isPreview === undefined) {
      throw new Error("this version of Pulumi does not say whether this is a preview: update it to 3.206 or newer");
    }
    refuseWaking(args.allowWake, isPreview);
    return { metrics: await readLatestMetrics(run(), deviceOf(args)) };
  },
  explainStatus: ({ serviceStatus, chargingStatus }) =>
    explainStatus(String(serviceStatus), chargingStatus === undefined ? undefined : String(chargingStatus)),
};

function deviceOf({ deviceId, businessId }: Properties) {
  return { deviceId: deviceId as string, businessId: businessId as string | undefined };
}
