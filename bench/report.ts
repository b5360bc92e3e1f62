import { OPERATIONS } from "./contestant";
import { CONTESTANTS } from "./contestants";
import { markdownTable, median, type Result } from "./result";

/**
 * A table for each size: operations and contestants, with medians of seconds and CPU seconds; then memory and state.
 */
export function tablesOf(results: readonly Result[]): string[] {
  return [...new Set(results.map(({ devices }) => devices))].map((devices) => {
    const measured = CONTESTANTS.map(({ name, title }) => {
      return { title, own: results.filter((one) => one.devices === devices && one.contestant === name) };
    }).filter(({ own }) => own.length > 0);
    const row = (what: string, cell: (own: readonly Result[]) => string) => [
      what,
      ...measured.map(({ own }) => cell(own)),
    ];
    return markdownTable(
      [`${devices} devices: s (CPU s)`, ...measured.map(({ title }) => title)],
      [
        ...OPERATIONS.map((operation) =>
          row(operation, (own) => timeOf(own.filter((one) => one.operation === operation))),
        ),
        row("most memory, MB", (own) => Math.max(...own.map(({ peakMegabytes }) => peakMegabytes)).toFixed(0)),
        row("state, KB", (own) => ofState(own)),
      ],
    );
  });
}

function timeOf(rounds: readonly Result[]): string {
  const middle = (value: (one: Result) => number) => median(rounds.map(value)).toFixed(1);
  return rounds.length === 0 ? "" : `${middle((one) => one.seconds)} (${middle((one) => one.cpuSeconds)})`;
}

function ofState(results: readonly Result[]): string {
  const bytes = results.flatMap(({ stateBytes = [] }) => stateBytes);
  return bytes.length === 0 ? "" : (Math.max(...bytes) / 1000).toFixed(0);
}

/** The highest load of the service. Near 100 %, contestants waited for it. */
export function serviceLine(results: readonly Result[]): string {
  const busy = ({ serviceCpuSeconds, seconds }: Result) => serviceCpuSeconds / seconds;
  const most = [...results].sort((a, b) => busy(b) - busy(a))[0];
  if (!most) return "";
  const { contestant, operation, devices } = most;
  const share = (100 * busy(most)).toFixed(0);
  return `The service's one thread was busy ${share} % of the time at most (${contestant}, ${operation} of ${devices}).`;
}
