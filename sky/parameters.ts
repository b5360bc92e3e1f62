import type { Conditions } from "./output";
import type { Vector } from "./plane";

/** The tilt of usual roofs, in degrees. The prior is weak: it prevents absurd tilts from a winter's series. */
export const USUAL_TILT = { value: 28, deviation: 18 };

/** The conditions in their order in the parameters, with their expected values and standard deviations. */
const CONDITIONS = [
  ["turbidity", 3.2, 0.6],
  ["shift", 0, 0], // The clock gives the expected shift.
  ["diffuse", 1, 0.2],
  ["warmth", 4.5, 2],
  ["heat", 0.028, 0.008],
  ["turbiditySwing", 0.5, 0.35],
] as const satisfies readonly (readonly [keyof Conditions, number, number])[];

/** The index of the first plane in the parameters. */
export const FIRST_PLANE = CONDITIONS.length;

/** Standard deviation of a value without an expectation. */
export const ANYTHING = 9;

/** The expected conditions. @param shift of the clock, in minutes */
export function priorOf(shift: number): number[] {
  return CONDITIONS.map(([name, expected]) => (name === "shift" ? shift : expected));
}

/** The standard deviations of the expected conditions. @param clock standard deviation of the shift, in minutes */
export function deviationsOf(clock: number): number[] {
  return CONDITIONS.map(([name, , deviation]) => (name === "shift" ? clock : deviation));
}

/** The conditions among the parameters. */
export function conditionsOf(parameters: readonly number[]): Conditions {
  const [turbidity = 0, shift = 0, diffuse = 0, warmth = 0, heat = 0, turbiditySwing = 0] = parameters;
  return { turbidity, shift, diffuse, warmth, heat, turbiditySwing };
}

/** The planes among the parameters, which follow the conditions. */
export function planesOf(parameters: readonly number[]): Vector[] {
  const planes: Vector[] = [];
  for (let at = FIRST_PLANE; at < parameters.length; at += 3) {
    planes.push(parameters.slice(at, at + 3) as unknown as Vector);
  }
  return planes;
}
