import type { Operation } from "./contestant";
import type { Cost } from "./measure";
import type { Calls } from "./service";

/** One operation of one contestant in one round. */
export interface Result extends Cost {
  readonly contestant: string;
  readonly vehicles: number;
  readonly operation: Operation;
  readonly calls: Calls;
  /** What the service's process took meanwhile, in seconds of CPU time. */
  readonly serviceCpuSeconds: number;
  /** After the operation. */
  readonly stateBytes: number | undefined;
}

/** The rounds of one operation of one contestant, in their order. */
export function roundsOf(
  results: readonly Result[],
  vehicles: number,
  operation: Operation,
  contestant: string,
): Result[] {
  return results.filter(
    (one) => one.vehicles === vehicles && one.operation === operation && one.contestant === contestant,
  );
}

/** Time of ours ÷ that of another, in each round that both have. */
export function ratiosTo(
  contestant: string,
  results: readonly Result[],
  vehicles: number,
  operation: Operation,
): number[] {
  const ours = roundsOf(results, vehicles, operation, "ours");
  const others = roundsOf(results, vehicles, operation, contestant);
  return ours.slice(0, others.length).map(({ seconds }, round) => seconds / (others[round] as Result).seconds);
}

export function sizesOf(results: readonly Result[]): number[] {
  return [...new Set(results.map(({ vehicles }) => vehicles))];
}

export function contestantsOf(results: readonly Result[]): string[] {
  return [...new Set(results.map(({ contestant }) => contestant))];
}

/** NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The median and, of several values, the least and the greatest: `1.10 (0.98–1.21)`. Empty without values. */
export function spread(values: readonly number[], digits: number): string {
  const known = values.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return "";
  const middle = median(known).toFixed(digits);
  if (known.length === 1) return middle;
  return `${middle} (${Math.min(...known).toFixed(digits)}–${Math.max(...known).toFixed(digits)})`;
}

/** A table in Markdown. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
