import type { Message } from "../../provider/messages/message";
import { listed } from "../../provider/settings/explain";
import type { Outcome } from "../stacks/outcome";
import type { DeviceStep, StackResult } from "../stacks/stack";
import { numbered } from "../words";
import { type WaveReport, waveReportOf } from "./waveReport";
import type { Wave } from "./waves";

/**
 * The reason why the rollout ends after this wave; undefined if it continues. A stack that did not run at all ends
 * it.
 */
export function stopOf(wave: Wave, report: WaveReport): string | undefined {
  const { stackErrors } = report;
  if (stackErrors.length > 0) {
    return `wave ${wave.name}: ${listed(stackErrors.map(({ stack }) => stack))} could not be run`;
  }
  const reason = stopReason(wave, { ...report, notDone: report.notDone - report.left });
  return reason && `wave ${wave.name}: ${reason}`;
}

/** The reason why a rollout stops with these numbers of devices; undefined if it continues. */
function stopReason(
  { failureLimit }: Wave,
  { run, failed, notDone }: Pick<WaveReport, "run" | "failed" | "notDone">,
): string | undefined {
  if (failed === 0 || (failed + notDone) / run <= failureLimit) return undefined;
  const share = `${Number((failureLimit * 100).toFixed(2))}%`;
  const limit = failureLimit === 0 ? "no device may fail" : `at most ${share} may fail`;
  const others = notDone > 0 ? `, ${notDone} more were not done because of them` : "";
  return `${numbered(failed)} of ${numbered(run)} devices failed${others}; ${limit}`;
}

/** Counts the devices of a wave while it runs. */
export class FailureWatch {
  readonly #done = new Set<string>();
  readonly #failed = new Set<string>();

  constructor(
    private readonly wave: Wave,
    private readonly minDevices: number,
  ) {}

  /** @returns the reason to start no more stacks; undefined to continue */
  take({ device, stage, isFailed }: DeviceStep): string | undefined {
    if (stage === "read") return undefined;
    this.#done.add(device);
    if (isFailed) this.#failed.add(device);
    else this.#failed.delete(device);
    if (this.#done.size < this.minDevices) return undefined;
    return stopReason(this.wave, { run: this.#done.size, failed: this.#failed.size, notDone: 0 });
  }
}

/** The problem of a device that changed while its wave was watched. */
export const UNSTEADY: Message = {
  code: "notSteady",
  finding: "the device no longer had its declared values when the wave was read again",
};

/**
 * The findings of a watched wave as results of the rollout, and the reason if the rollout stops.
 * @param left the devices that stay as they are, by name. Without them, their drift would stop the rollout
 */
export function afterWatch(
  wave: Wave,
  found: readonly StackResult[],
  left: ReadonlyMap<string, Outcome>,
): { results: StackResult[]; stopped: string | undefined } {
  const results = found.map((result) => {
    const stops = new Set(
      result.sites.filter(({ before, after }) => before?.ready && after?.ready === false).map(({ site }) => site),
    );
    const outcomes = [...result.outcomes].map(([device, outcome]): [string, Outcome] => {
      const isSteady = outcome.result !== "changed" && !stops.has(outcome.site);
      const read: Outcome =
        isSteady || outcome.result === "failed" ? outcome : { ...outcome, result: "failed", problem: UNSTEADY };
      return [device, left.get(device) ?? read];
    });
    return { ...result, outcomes: new Map(outcomes) };
  });
  const report = waveReportOf(wave, wave.stacks, results);
  const stopped = stopOf(wave, report);
  return { results, stopped: stopped && `${stopped} (when the wave was read again)` };
}
