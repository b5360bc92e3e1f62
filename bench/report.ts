import { OPERATIONS } from "./contestant";
import { type Case, markdownTable, median, type Result, ratios, roundsOf, spread } from "./result";

const HEADER = [
  "devices",
  "operation",
  "who",
  "s",
  "CPU s",
  "peak MB",
  "state KB",
  "GET",
  "PATCH",
  "time, ours ÷ this",
];

/** A table of each operation at each size: medians of all rounds, of times and their ratios with their spread. */
export function tableOf(results: readonly Result[], job: Case["job"]): string {
  const ofJob = results.filter((one) => one.job === job);
  const rows = distinct(ofJob, "devices").flatMap((devices) =>
    OPERATIONS.flatMap((operation) =>
      distinct(ofJob, "contestant").flatMap((contestant) => rowOf(ofJob, { job, devices, operation, contestant })),
    ),
  );
  return markdownTable(HEADER, rows);
}

/** How busy the service was at most: if it was near 100 %, others waited for it. */
export function serviceLine(results: readonly Result[]): string {
  const busy = ({ serviceCpuSeconds, seconds }: Result) => serviceCpuSeconds / seconds;
  const most = [...results].sort((a, b) => busy(b) - busy(a))[0];
  if (!most) return "";
  const { contestant, operation, devices } = most;
  const share = (100 * busy(most)).toFixed(0);
  return `The service's one thread was busy ${share} % of the time at most (${contestant}, ${operation} of ${devices}).`;
}

/** No row if it was not measured. */
function rowOf(results: readonly Result[], one: Case): string[][] {
  const rounds = roundsOf(results, one);
  if (rounds.length === 0) return [];
  const of = (value: (result: Result) => number) => rounds.map(value);
  const middle = (value: (result: Result) => number, digits = 0) => median(of(value)).toFixed(digits);
  const cells = [
    spread(
      of(({ seconds }) => seconds),
      1,
    ),
    middle(({ cpuSeconds }) => cpuSeconds, 1),
    middle(({ peakMegabytes }) => peakMegabytes),
    rounds[0]?.stateBytes === undefined ? "" : middle(({ stateBytes = Number.NaN }) => stateBytes / 1000),
    middle(({ calls }) => calls.GET),
    middle(({ calls }) => calls.PATCH),
    one.contestant === "ours" ? "" : spread(ratios(results, { ...one, contestant: "ours" }, one), 2),
  ];
  return [[String(one.devices), one.operation, one.contestant, ...cells]];
}

function distinct<K extends keyof Case>(results: readonly Result[], key: K): Case[K][] {
  return [...new Set(results.map((result) => result[key]))];
}
