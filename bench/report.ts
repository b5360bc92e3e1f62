import { OPERATIONS } from "./contestant";
import { contestantsOf, markdownTable, median, type Result, ratiosTo, roundsOf, sizesOf, spread } from "./result";

const HEADER = [
  "vehicles",
  "operation",
  "who",
  "s",
  "CPU s",
  "peak MB",
  "state KB",
  "GET",
  "PATCH",
  "service busy, %",
  "time, ours ÷ this",
];

/** A table of each operation at each size: medians of all rounds, of times and their ratios with their spread. */
export function tableOf(results: readonly Result[]): string {
  const rows = sizesOf(results).flatMap((vehicles) =>
    OPERATIONS.flatMap((operation) => {
      const whoever = contestantsOf(results.filter((result) => result.operation === operation));
      return whoever.map((contestant) => {
        const rounds = roundsOf(results, vehicles, operation, contestant);
        const of = (value: (result: Result) => number) => rounds.map(value);
        const cells = [
          spread(
            of(({ seconds }) => seconds),
            1,
          ) || "not run",
          middle(
            of(({ cpuSeconds }) => cpuSeconds),
            1,
          ),
          middle(of(({ peakMegabytes }) => peakMegabytes)),
          middle(of(({ stateBytes = Number.NaN }) => stateBytes / 1000)),
          middle(of(({ calls }) => calls.GET)),
          middle(of(({ calls }) => calls.PATCH)),
          middle(of(({ serviceCpuSeconds, seconds }) => (100 * serviceCpuSeconds) / seconds)),
          contestant === "ours" ? "" : spread(ratiosTo(contestant, results, vehicles, operation), 2),
        ];
        return [String(vehicles), operation, contestant, ...cells];
      });
    }),
  );
  return markdownTable(HEADER, rows);
}

/** What the service takes for its requests, so that a reader can tell whether it is what others wait for. */
export function serviceLine(results: readonly Result[]): string {
  const busy = results.filter(({ calls }) => calls.GET + calls.PATCH > 0);
  const calls = busy.reduce((sum, result) => sum + result.calls.GET + result.calls.PATCH, 0);
  const seconds = busy.reduce((sum, { serviceCpuSeconds }) => sum + serviceCpuSeconds, 0);
  return (
    `The service took ${((seconds / calls) * 1000).toFixed(2)} s of CPU time for 1,000 requests. ` +
    "*service busy* is its share of one core while the operation ran."
  );
}

function middle(values: readonly number[], digits = 0): string {
  const value = median(values);
  return Number.isNaN(value) ? "" : value.toFixed(digits);
}
