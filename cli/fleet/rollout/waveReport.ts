import { textOf } from "../../../provider/messages/message";
import { counted } from "../../counted";
import { BESIDE_DEVICE } from "../../environment";
import { mergedOutcomes } from "../outcome/merged";
import { declaredIn, type Outcome } from "../outcome/outcome";
import type { StackResult } from "../stack";
import { sizeOf, type Wave } from "./waves";

/** The result of a wave: each of its devices is in one of the counts. */
export interface WaveReport {
  readonly wave: Wave["name"];
  readonly ok: number;
  readonly failed: number;
  /**
   * Held by the failure of another device, or nothing is known of them: their stack could not be run, or was
   * interrupted.
   */
  readonly notDone: number;
  readonly failures: readonly Outcome[];
  readonly stackErrors: readonly { readonly stack: string; readonly error: string }[];
}

/**
 * @param wave all of it: devices in stacks that an earlier run has done, without a failure, are ok
 * @param run those of its stacks that were run now
 */
export function waveReportOf(wave: Wave, run: Wave["stacks"], results: readonly StackResult[]): WaveReport {
  const outcomes = mergedOutcomes(results);
  const all = wave.name === "removal" ? [...outcomes.values()] : declaredIn(outcomes);
  const failures = all.filter(({ result }) => result === "failed");
  const held = all.filter(({ result }) => result === "held").length;
  const expected = Math.max(sizeOf({ ...wave, stacks: run }), all.length);
  const earlier = sizeOf(wave) - sizeOf({ ...wave, stacks: run });
  return {
    wave: wave.name,
    ok: earlier + all.length - failures.length - held,
    failed: failures.length,
    notDone: run.length === 0 ? 0 : expected - all.length + held,
    failures,
    stackErrors: results.flatMap(({ stack, error }) =>
      error === undefined ? [] : [{ stack, error: textOf(error, BESIDE_DEVICE) }],
    ),
  };
}

/** Longest reason in the line of a wave, in characters (our choice): the summary has all of it. */
const LONGEST_REASON = 100;

/** The line of a wave, such as `wave share: 59 ok, 1 failed (acme/van-3: …). Next: rest, 240 devices, 16 sites`. */
export function waveText({ wave, ok, failed, notDone, failures, stackErrors }: WaveReport, next?: Wave): string {
  const [failure] = failures;
  const [stackError] = stackErrors;
  const counts = [
    `${ok} ok`,
    failed === 0 || !failure
      ? "0 failed"
      : `${failed} failed (${example(`${failure.site} ${failure.device}`, failure.problem && textOf(failure.problem, BESIDE_DEVICE), failed)})`,
    ...(notDone === 0 ? [] : [`${notDone} not done`]),
    ...(stackError
      ? [
          `${counted(stackErrors.length, "stack")} could not be run ` +
            `(${example(stackError.stack, stackError.error, stackErrors.length)})`,
        ]
      : []),
  ];
  return `wave ${wave}: ${counts.join(", ")}${next ? `. Next: ${nextText(next)}` : ""}`;
}

function example(of: string, reason = "no reason is known", count: number): string {
  const line = reason.replace(/\s+/g, " ");
  const short = line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
  return `${of}: ${short}${count > 1 ? `; and ${count - 1} more` : ""}`;
}

function nextText(wave: Wave): string {
  if (wave.name === "removal") return `removal of ${counted(wave.stacks.length, "stack")} without sites`;
  return [wave.name, counted(sizeOf(wave), "device"), counted(sitesOf(wave), "site")].join(", ");
}

/** The environment of a gate's command. */
export function gateEnvironment(fleet: string, report: WaveReport, next: Wave): Record<string, string> {
  const isRemoval = next.name === "removal";
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

function sitesOf({ canary, stacks }: Wave): number {
  return canary ? 1 : stacks.reduce((sum, { sites }) => sum + sites.length, 0);
}
