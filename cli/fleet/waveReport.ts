import { textOf } from "../../provider/messages/message";
import { BESIDE_DEVICE, declaredIn, isLeft, mergedOutcomes, type Outcome } from "../stacks/outcome";
import type { StackResult } from "../stacks/stack";
import { counted, numbered, shortened } from "../words";
import { sizeOf, type Wave } from "./waves";

/** The result of a wave. Each of its devices is in exactly one of the counts. */
export interface WaveReport {
  readonly wave: Wave["name"];
  readonly ok: number;
  readonly failed: number;
  /**
   * Devices that wait for a failed device, or whose result is unknown: their stack could not run, was interrupted, or
   * did not start.
   */
  readonly notDone: number;
  /** Those of them that stay as they are because nobody has approved their change. */
  readonly left: number;
  /** Number of devices in the stacks of this run. */
  readonly run: number;
  readonly failures: readonly Outcome[];
  readonly stackErrors: readonly { readonly stack: string; readonly error: string }[];
}

/**
 * @param wave the whole wave: devices in stacks that an earlier run finished without a failure are ok
 * @param run the stacks of the wave that this run had to run
 */
export function waveReportOf(wave: Wave, run: Wave["stacks"], results: readonly StackResult[]): WaveReport {
  const outcomes = mergedOutcomes(results);
  const own = new Set(run.flatMap((stack) => stack.own.map(({ id }) => id)));
  // The last run of a stack also reports the sites of its earlier waves.
  const isCounted = ({ site, result }: Outcome) => own.has(site) || !["unchanged", "held"].includes(result);
  const all = wave.isRemoval ? [...outcomes.values()] : declaredIn(outcomes).filter(isCounted);
  const failures = all.filter(({ result }) => result === "failed");
  const held = all.filter(({ result }) => result === "held");
  const expected = Math.max(sizeOf({ stacks: run }), all.length);
  const earlier = sizeOf(wave) - sizeOf({ stacks: run });
  return {
    wave: wave.name,
    ok: earlier + all.length - failures.length - held.length,
    failed: failures.length,
    notDone: expected - all.length + held.length,
    left: held.filter(isLeft).length,
    run: expected,
    failures,
    stackErrors: results.flatMap(({ stack, error }) =>
      error === undefined ? [] : [{ stack, error: textOf(error, BESIDE_DEVICE) }],
    ),
  };
}

/** Longest reason in the line of a wave, in characters (our choice). The summary shows it in full. */
const LONGEST_REASON = 100;

/** The line of a wave, such as `wave share: 59 ok, 1 failed (acme/van-3: …). Next: rest, 240 devices, 16 sites`. */
export function waveText({ wave, ok, failed, notDone, left, failures, stackErrors }: WaveReport, next?: Wave): string {
  const [failure] = failures;
  const [stackError] = stackErrors;
  const counts = [
    `${ok} ok`,
    !failure
      ? "0 failed"
      : `${numbered(failed)} failed (${example(`${failure.site} ${failure.device}`, failure.problem && textOf(failure.problem, BESIDE_DEVICE), failed)})`,
    ...(notDone === left ? [] : [`${numbered(notDone - left)} not done`]),
    ...(left === 0 ? [] : [`${numbered(left)} not approved`]),
    ...(stackError
      ? [
          `${counted(stackErrors.length, "stack")} could not be run ` +
            `(${example(stackError.stack, stackError.error, stackErrors.length)})`,
        ]
      : []),
  ];
  const after = next?.isRemoval
    ? `removing ${counted(next.stacks.length, "stack")} without sites`
    : next && `${next.name}, ${sizeWords(next)}`;
  return `wave ${wave}: ${counts.join(", ")}${after ? `. Next: ${after}` : ""}`;
}

function example(of: string, reason = "no reason given", count: number): string {
  const line = shortened(reason.replace(/\s+/g, " "), LONGEST_REASON);
  return `${of}: ${line}${count > 1 ? `; and ${count - 1} more` : ""}`;
}

/** `42 devices, 21 sites`. */
export function sizeWords(wave: Pick<Wave, "stacks">): string {
  return `${counted(sizeOf(wave), "device")}, ${counted(sitesOf(wave), "site")}`;
}

/** The environment of a gate's command. */
export function gateEnvironment(fleet: string, report: WaveReport, next: Wave): Record<string, string> {
  const { isRemoval } = next;
  return {
    SOLAR_CHARGING_FLEET: fleet,
    SOLAR_CHARGING_WAVE: report.wave,
    SOLAR_CHARGING_WAVE_OK: String(report.ok),
    SOLAR_CHARGING_WAVE_FAILED: String(report.failed),
    SOLAR_CHARGING_WAVE_NOT_DONE: String(report.notDone),
    SOLAR_CHARGING_NEXT_WAVE: next.name,
    SOLAR_CHARGING_NEXT_STACKS: String(next.stacks.length),
    SOLAR_CHARGING_NEXT_SITES: isRemoval ? "" : String(sitesOf(next)),
    SOLAR_CHARGING_NEXT_DEVICES: isRemoval ? "" : String(sizeOf(next)),
  };
}

function sitesOf({ stacks }: Pick<Wave, "stacks">): number {
  return stacks.reduce((sum, { own }) => sum + own.length, 0);
}
