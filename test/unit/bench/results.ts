import type { Result } from "../../../bench/result";

/** A result of ours that took a second at 100, where nothing else is said. */
export function result(some: Partial<Result> = {}): Result {
  return {
    contestant: "ours",
    vehicles: 100,
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
