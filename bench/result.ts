import type { Operation } from "./contestant";
import type { Cost } from "./measure";
import type { Calls } from "./service";

/** The subject of a measurement: one operation of one contestant with a number of devices. */
export interface Case {
  readonly devices: number;
  readonly operation: Operation;
  readonly contestant: string;
}

/** One round of a case. */
export interface Result extends Case, Cost {
  readonly calls: Calls;
  /** CPU time of the service's process during the operation, in seconds. */
  readonly serviceCpuSeconds: number;
  /** Bytes of state after the operation. */
  readonly stateBytes: number | undefined;
}

/** The rounds of a case, in their order. */
export function roundsOf(results: readonly Result[], { devices, operation, contestant }: Case): Result[] {
  return results.filter(
    (one) => one.devices === devices && one.operation === operation && one.contestant === contestant,
  );
}

/** Time of one case divided by that of another, for each round that both have. */
export function ratios(results: readonly Result[], one: Case, other: Case): number[] {
  const others = roundsOf(results, other);
  return roundsOf(results, one)
    .slice(0, others.length)
    .map(({ seconds }, round) => seconds / (others[round] as Result).seconds);
}

/** The median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The median and, for several values, the smallest and the largest: `1.10 (0.98–1.21)`. Empty without values. */
export function spread(values: readonly number[], digits: number): string {
  if (values.length === 0) return "";
  const middle = median(values).toFixed(digits);
  if (values.length === 1) return middle;
  return `${middle} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;
}

export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
