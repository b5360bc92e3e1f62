import type { Series } from "./series";

/** Minutes after which samples are independent of each other. */
export const INDEPENDENT = 90;

/** Share of the strongest power from which a model's value is compared. */
const FAINT = 0.04;

/**
 * The samples whose ratio of power to a model hardly changes from one to the next, in runs of at least 90 minutes.
 * @param usable indexes of samples
 * @param values of the model at these samples
 * @param isNear whether a sample with this ratio counts
 * @returns positions in `usable`
 */
export function calmSamples(
  { power, times, step }: Series,
  usable: Int32Array,
  values: Float64Array,
  isNear: (ratio: number, index: number) => boolean,
): Int32Array {
  const ratios = values.map((value, i) =>
    value > FAINT ? (power[usable[i] as number] as number) / value : Number.NaN,
  );
  const calm = step <= 30 ? 0.06 : 0.15;
  const isNext = (i: number) =>
    usable[i] === (usable[i - 1] as number) + 1 &&
    (times[usable[i] as number] as number) - (times[usable[i - 1] as number] as number) < step * 60 * 1.01;
  const isCalm = (i: number) => isNext(i) && Math.abs((ratios[i] as number) - (ratios[i - 1] as number)) < calm;
  const isGood = (i: number) => isNear(ratios[i] as number, i) && isCalm(i) && isCalm(i + 1);
  const fewest = Math.max(2, Math.round(INDEPENDENT / step));
  const chosen: number[] = [];
  let run: number[] = [];
  for (let i = 0; i <= usable.length; i++) {
    if (isGood(i)) {
      run.push(i);
    } else {
      if (run.length >= fewest) chosen.push(...run);
      run = [];
    }
  }
  return Int32Array.from(chosen);
}
