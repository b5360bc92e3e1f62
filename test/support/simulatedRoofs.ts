import type { Coordinates } from "../../measure/sky/moments";
import { angleBetween, type Panels, vectorOf } from "../../measure/sky/plane";
import type { Series } from "../../measure/sky/series";
import { seriesOf } from "../../measure/sky/series";
import { onPlane, type Sky, skyAt } from "../../measure/sky/sky";
import { randomOf } from "./charging";
import { stretchesFrom } from "./production";

/** The circumstances of a simulated roof. */
export interface Weather {
  readonly days: number;
  /** Minutes of a step. */
  readonly step: number;
  /** The power from this day on, relative to that before. */
  readonly change?: { readonly day: number; readonly factor: number };
  /** The first day. */
  readonly begin: string;
}

/** A simulated roof, and what its meter recorded. */
export interface SimulatedRoof {
  readonly place: Coordinates;
  readonly panels: Panels;
  readonly series: Series;
}

/**
 * A roof and its weather, always the same for a seed. It has the model of `sun`, not that of the fit: constant haze, and
 * other formulas of the glass and of the inverter. Each day has its own clearness, temperature and clouds, in spells of some days.
 */
export function simulatedRoof(seed: number, { days, step, change, begin }: Weather): SimulatedRoof {
  const random = randomOf(104_729 * seed + 7);
  const between = (low: number, high: number) => low + (high - low) * random();
  const place = { latitude: between(36, 58), longitude: between(-8, 20) };
  const panels = { peakPower: between(3000, 15_000), azimuth: between(90, 270), tilt: between(12, 48) };
  const first = Date.parse(begin) / 1000;
  const powers: number[] = [];
  let weather = between(0, 1);
  for (let day = 0; day < days; day++) {
    weather = 0.6 * weather + 0.4 * between(-0.25, 1.25);
    const cloudy = Math.min(1, Math.max(0, 1.4 * weather - 0.45));
    const clearness = between(0.95, 1.03) * (change && day >= change.day ? change.factor : 1);
    const season = -Math.cos(
      (2 * Math.PI * (new Date((first + day * 86_400) * 1000).getTime() / 86_400_000 - 20)) / 365.25,
    );
    const air = 11 + 9 * season + between(-5, 5);
    let cover = 1;
    for (let at = 0; at < 1440; at += step) {
      if (random() < 0.2) cover = random() < cloudy ? between(0.15, 0.85) : 1;
      const from = first + day * 86_400 + at * 60;
      const middle = new Date((from + step * 30) * 1000 + place.longitude * 240_000);
      const sky = skyAt(middle, place.latitude);
      const light = cover * (onPlane(sky, panels) - reflectedFrom(panels, sky));
      const warmth = air + 0.03 * light + 3 * Math.sin(2 * Math.PI * (at / 1440 + place.longitude / 360 - 9 / 24)) - 25;
      const watts = inverted((clearness * light * (1 - 0.0038 * warmth)) / 1000) * 0.93 * panels.peakPower;
      powers.push(watts);
    }
  }
  const series = seriesOf(stretchesFrom(first, step, powers), step);
  if (!series) throw new Error("a simulated roof has too little power");
  return { place, panels, series };
}

/**
 * The direct light that the glass reflects, in W/m².
 *
 * N. Martin, J. M. Ruiz: Calculation of the PV modules angular losses under field conditions by means of an analytical
 * model. Solar Energy Materials & Solar Cells 70 (2001), pages 25–38.
 */
function reflectedFrom(panels: Panels, { altitude, bearing, direct }: Sky): number {
  const level = vectorOf({ azimuth: bearing, tilt: 90 - altitude, peakPower: 1 });
  const incidence = Math.cos((angleBetween(vectorOf(panels), level) * Math.PI) / 180);
  if (incidence <= 0) return 0;
  const passed = (1 - Math.exp(-incidence / 0.16)) / (1 - Math.exp(-1 / 0.16));
  return direct * incidence * (1 - passed);
}

/**
 * The output of an inverter, relative to its own power.
 *
 * A. P. Dobos: PVWatts Version 5 Manual. NREL (2014).
 */
function inverted(input: number): number {
  return Math.max(0, (input * (0.9858 - 0.0162 * input) - 0.0059) / 0.9637);
}
