import type { Unmeasured } from "./baseLoad";
import { mean, median, quantile, scatterOf } from "./numbers";
import type { Stretches } from "./series";

/** The AC power at which an inverter starts, in W. */
export interface CutIn {
  readonly kind: "measured";
  readonly value: number;
  /** Standard deviation, in W. */
  readonly deviation: number;
  readonly mornings: number;
}

/** Minimum number of mornings for a value. */
const FEWEST = 10;

/** Longest steps, in minutes: for a value, and for only an upper limit of it. */
const [LONGEST, LONGEST_FOR_LIMIT] = [8, 18];

/** Minutes without output before a morning. */
const DARK = 120;

/** Power in W up to which an inverter counts as off. */
const NOTHING = 1;

/**
 * The cut-in threshold according to the mornings. The declared one is not used, because it may be wrong.
 * @param output of an inverter, in steps of equal length
 */
export function cutInOf(output: Stretches): CutIn | Unmeasured {
  const { from, to, watts } = output;
  const step = ((to[0] as number) - (from[0] as number)) / 60;
  const coarse = { kind: "notEnough", reason: "coarseSteps", read: step, kept: LONGEST } as const;
  if (step > LONGEST_FOR_LIMIT) return coarse;
  const starts: number[] = [];
  const firsts: number[] = [];
  const slopes: number[] = [];
  const before = Math.floor(DARK / step);
  for (let i = before; i < watts.length - 4; i++) {
    if (!isMorning(output, i, before)) continue;
    const [first, second, third, fourth] = watts.subarray(i + 1, i + 5) as unknown as [number, number, number, number];
    if (second <= 0.9 * first || third <= 0.8 * second || third <= 3) continue;
    // The slope of a step at the start of the ramp, which gets steeper.
    const rise = third - second;
    const slope = Math.max(2 * rise - (fourth - third), 0.35 * rise, 0.01 * second);
    const begin = Math.max(second - 0.55 * slope, 0);
    // The energy of the first step begins at the threshold: first = (begin² − threshold²) / (2 · slope).
    starts.push(Math.sqrt(Math.max(0, begin * begin - 2 * slope * first)));
    firsts.push(first);
    slopes.push(slope);
  }
  const read = new Set(from.map((at) => Math.floor(at / 86_400))).size;
  if (starts.length < FEWEST) return { kind: "notEnough", reason: "fewMornings", read, kept: starts.length };
  if (step > LONGEST) return { ...coarse, atMost: quantile(Float64Array.from(firsts).sort(), 0.9) };
  // Two estimates. The threshold from each ramp is too low for long steps. The first steps are on for a random part of
  // their length, so their mean is half of the threshold plus a sixth of the slope: this one is too high for long
  // steps.
  const ramp = median(starts);
  const random = Math.max(0, 2 * mean(firsts) - median(slopes) / 3);
  const share = Math.min(1, Math.max(0.5, 1 - (step - 1) / 6));
  const value = share * ramp + (1 - share) * random;
  const deviation = Math.sqrt(
    (0.05 * value) ** 2 +
      4 ** 2 +
      (0.5 * (1 - share) * (random - ramp)) ** 2 +
      (1 - share) * (0.15 * value) ** 2 +
      ((1.5 * scatterOf(starts)) / Math.sqrt(starts.length)) ** 2,
  );
  return { kind: "measured", value, deviation, mornings: starts.length };
}

/** Whether the output begins after step `i`: there was none before, and no gap follows. */
function isMorning({ from, to, watts }: Stretches, i: number, before: number): boolean {
  if ((watts[i] as number) > NOTHING || (watts[i + 1] as number) <= NOTHING) return false;
  for (let at = i - before; at < i; at++) if ((watts[at] as number) > NOTHING) return false;
  const start = from[i] as number;
  const seconds = (to[i] as number) - start;
  const isWithoutGap = (from[i + 4] as number) - start < 4.5 * seconds;
  return isWithoutGap && start - (from[i - before] as number) < 2 * before * seconds;
}
