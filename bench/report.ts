import { OPERATIONS, type Operation } from "./contestant";
import type { Cost } from "./measure";
import type { Calls } from "./service";

/** One operation of one contestant in one round. */
export interface Result extends Cost {
  readonly contestant: string;
  readonly vehicles: number;
  readonly operation: Operation;
  readonly calls: Calls;
  /** After the operation. */
  readonly stateBytes: number | undefined;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

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
  "time, ours ÷ this",
];

/** A Markdown table of the medians of all rounds. The ratio is the median of those of the rounds. */
export function tableOf(results: readonly Result[]): string {
  const rows = sizesOf(results).flatMap((vehicles) =>
    OPERATIONS.flatMap((operation) => {
      const these = results.filter((result) => result.vehicles === vehicles && result.operation === operation);
      const ours = these.filter(({ contestant }) => contestant === "ours");
      return contestantsOf(these).map((contestant) => {
        const rounds = these.filter((result) => result.contestant === contestant);
        const of = (value: (result: Result) => number) => median(rounds.map(value));
        const ratios = rounds.flatMap(({ seconds }, round) => (ours[round]?.seconds ?? Number.NaN) / seconds);
        const stateKilobytes = of(({ stateBytes = Number.NaN }) => stateBytes) / 1000;
        return [
          String(vehicles),
          operation,
          contestant,
          of(({ seconds }) => seconds).toFixed(1),
          of(({ cpuSeconds }) => cpuSeconds).toFixed(1),
          of(({ peakMegabytes }) => peakMegabytes).toFixed(0),
          shown(stateKilobytes, 0),
          of(({ calls }) => calls.GET).toFixed(0),
          of(({ calls }) => calls.PATCH).toFixed(0),
          contestant === "ours" ? "" : shown(median(ratios), 2),
        ];
      });
    }),
  );
  return [HEADER, HEADER.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function sizesOf(results: readonly Result[]): number[] {
  return [...new Set(results.map(({ vehicles }) => vehicles))];
}

function contestantsOf(results: readonly Result[]): string[] {
  return [...new Set(results.map(({ contestant }) => contestant))];
}

function shown(value: number, digits: number): string {
  return Number.isNaN(value) ? "" : value.toFixed(digits);
}
