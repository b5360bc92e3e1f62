import type { Conditions } from "./output";
import type { Vector } from "./plane";

/**
 * The tilt of usual roofs, in degrees. The expectation is weak: it only prevents absurd tilts if a series is from
 * winter.
 */
const USUAL_TILT = { value: 28, deviation: 18 };

/** The conditions in their order in the parameters, with their expected values and standard deviations. */
const CONDITIONS = [
  ["turbidity", 3.2, 0.6],
  ["shift", 0, 0], // Its deviation is that of the clock.
  ["diffuse", 1, 0.2],
  ["warmth", 4.5, 2],
  ["heat", 0.028, 0.008],
  ["turbiditySwing", 0.5, 0.35],
] as const satisfies readonly (readonly [keyof Conditions, number, number])[];

/** The index of the first plane in the parameters. */
export const FIRST_PLANE = CONDITIONS.length;

/**
 * The expected conditions, as parameters.
 * @param shift the shift of the clock, in minutes
 */
export function expectedWith(shift: number): number[] {
  return CONDITIONS.map(([name, expected]) => (name === "shift" ? shift : expected));
}

/**
 * The distances of the conditions from the expected ones, in standard deviations.
 * @param clock the standard deviation of the shift, in minutes
 */
export function conditionsOff(parameters: readonly number[], clock: number): number[] {
  return CONDITIONS.map(
    ([name, expected, deviation], j) => ((parameters[j] as number) - expected) / (name === "shift" ? clock : deviation),
  );
}

/** The distance of a tilt from that of usual roofs, in standard deviations. */
export function tiltOff(tilt: number): number {
  return (tilt - USUAL_TILT.value) / USUAL_TILT.deviation;
}

/** The conditions among the parameters. */
export function conditionsOf(parameters: readonly number[]): Conditions {
  return Object.fromEntries(CONDITIONS.map(([name], j) => [name, parameters[j]])) as unknown as Conditions;
}

/** The planes among the parameters, which follow the conditions. */
export function planesOf(parameters: readonly number[]): Vector[] {
  const planes: Vector[] = [];
  for (let at = FIRST_PLANE; at < parameters.length; at += 3) {
    planes.push(parameters.slice(at, at + 3) as unknown as Vector);
  }
  return planes;
}
