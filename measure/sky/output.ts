import { type Moments, shifted } from "./moments";
import type { Vector } from "./plane";
import { ALBEDO, beamOf, directOf, globalOf, LOWEST_ALTITUDE } from "./sky";

/** The conditions that determine an output besides the panels: the air, and the clock of the measurement. */
export interface Conditions {
  /** Linke's turbidity in spring and autumn. */
  readonly turbidity: number;
  /** The additional turbidity in midsummer. */
  readonly turbiditySwing: number;
  /** Minutes by which the times are too early. */
  readonly shift: number;
  /** The diffuse light, as a multiple of the model's. */
  readonly diffuse: number;
  /** The difference between the temperature at 15:00 and the day's mean, in K. */
  readonly warmth: number;
  /** Heating of the panels by light, in K per W/m². */
  readonly heat: number;
}

/** The loss of power apart from heat: soiling, mismatch, wiring, inverter (calibrated). */
const LOSSES_BUT_HEAT = 0.08;

/** Relative change of the power per kelvin. */
const PER_KELVIN = -0.0037;

/**
 * Relative loss of efficiency for a light that is e times weaker: panels and inverters lose some in weak light. Without
 * this, a roof would look 1° too steep.
 */
const WEAK_LIGHT = 0.02;

/** Light below which the efficiency stays the same, in W/m². */
const WEAKEST = 20;

/** Share of the diffuse light that passes the glass. */
const GLASS = 0.95;

const LOWEST_HEIGHT = Math.sin((LOWEST_ALTITUDE * Math.PI) / 180);

/** The light of a clear sky at some moments. */
interface Light extends Pick<Conditions, "shift" | "turbidity" | "turbiditySwing"> {
  readonly moments: Moments;
  readonly direct: Float64Array;
  readonly diffuse: Float64Array;
  readonly global: Float64Array;
}

/**
 * Number of skies that a model keeps. A fit changes one parameter after the other, and only three of them change the
 * sky. With fewer skies, the model would calculate the same sky again for each of the other parameters.
 */
const KEPT = 3;

/**
 * The output of planes under a clear sky: that of `onPlane`, minus the light that the glass reflects and the loss by
 * heat. Without the heat of the afternoon, a roof to the south would look 2–4° too far east.
 */
export class OutputModel {
  /** The moments within a step, each with the skies that are kept, newest first. */
  private readonly parts: readonly { readonly minutes: number; lights: readonly Light[] }[];

  /** @param step the time over which each measured value is a mean, in minutes */
  constructor(
    private readonly moments: Moments,
    step: number,
  ) {
    const minutes = step <= 30 ? [0] : [-step / 3, 0, step / 3];
    this.parts = minutes.map((one) => ({ minutes: one, lights: [] }));
  }

  /** The sum of the planes' powers at each moment, in the unit of the vectors. */
  power(planes: readonly Vector[], conditions: Conditions, out: Float64Array): void {
    out.fill(0);
    for (const part of this.parts) {
      const { shift, turbidity, turbiditySwing } = conditions;
      const light =
        part.lights.find(
          (one) => one.shift === shift && one.turbidity === turbidity && one.turbiditySwing === turbiditySwing,
        ) ??
        lightOf(
          part.lights.find((one) => one.shift === shift)?.moments ?? shifted(this.moments, shift + part.minutes),
          conditions,
        );
      part.lights = [light, ...part.lights.filter((one) => one !== light)].slice(0, KEPT);
      for (const plane of planes) addPower(light, plane, { ...conditions, share: 1 / this.parts.length }, out);
    }
  }
}

function lightOf(moments: Moments, { shift, turbidity, turbiditySwing }: Conditions): Light {
  const [direct, diffuse, global] = [moments.up.slice(), moments.up.slice(), moments.up.slice()];
  const { up, extraterrestrial: outside, airMass: masses, season } = moments;
  for (let i = 0; i < global.length; i++) {
    const height = up[i] as number;
    if (height <= 0) continue;
    const extraterrestrial = outside[i] as number;
    const airMass = masses[i] as number;
    const haze = Math.max(turbidity + turbiditySwing * (season[i] as number), 1.2);
    const all = globalOf(extraterrestrial, height, airMass, haze);
    const beam = directOf(beamOf(extraterrestrial, airMass, haze), height, haze, all);
    direct[i] = beam;
    global[i] = all;
    diffuse[i] = all - beam * height;
  }
  return { shift, turbidity, turbiditySwing, moments, direct, diffuse, global };
}

function addPower(
  { moments, direct, diffuse, global }: Light,
  [east, north, up]: Vector,
  conditions: Conditions & { readonly share: number },
  out: Float64Array,
): void {
  const { diffuse: more, warmth, heat, share } = conditions;
  const peak = Math.hypot(east, north, up) + 1e-9;
  const level = up / peak;
  const dome = ((1 + level) / 2) * GLASS;
  const ground = ((ALBEDO * (1 - level)) / 2) * GLASS;
  const { up: upward, east: eastward, north: northward, extraterrestrial, air, afternoon } = moments;
  for (let i = 0; i < out.length; i++) {
    const height = upward[i] as number;
    if (height <= 0) continue;
    const beam = direct[i] as number;
    const cosine = (east * (eastward[i] as number) + north * (northward[i] as number) + up * height) / peak;
    const incidence = Math.max(cosine, 0);
    const glass = incidence > 0 ? Math.max(0, Math.min(1, 1 - 0.05 * (1 / Math.max(incidence, 0.02) - 1))) : 0;
    const aroundSun = beam / (extraterrestrial[i] as number);
    const towardsSun = incidence / Math.max(height, LOWEST_HEIGHT);
    const light =
      beam * incidence * glass +
      (diffuse[i] as number) * more * (aroundSun * towardsSun * glass + (1 - aroundSun) * dome) +
      (global[i] as number) * ground;
    const warmer = (air[i] as number) + warmth * (afternoon[i] as number) + heat * light - 25;
    const efficiency = (1 + PER_KELVIN * warmer) * (1 + WEAK_LIGHT * Math.log(Math.max(light, WEAKEST) / 1000));
    out[i] = (out[i] as number) + ((share * peak * light) / 1000) * efficiency * (1 - LOSSES_BUT_HEAT);
  }
}
