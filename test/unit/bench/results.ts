import type { Result } from "../../../bench/result";

/** A round of a first up of ours that took a second for 20 solar sites, unless something else is given. */
export function result(some: Partial<Result> = {}): Result {
  return {
    contestant: "ours",
    job: "sites",
    devices: 100,
    operation: "first up",
    seconds: 1,
    cpuSeconds: 2,
    peakMegabytes: 300,
    calls: { GET: 200, PATCH: 100 },
    serviceCpuSeconds: 0.25,
    stateBytes: 140_000,
    ...some,
  };
}
