import type { Coordinates } from "../../measure/sky/moments";
import type { Panels } from "../../measure/sky/plane";
import { type Series, type Stretches, seriesOf } from "../../measure/sky/series";
import { onPlane, skyAt } from "../../measure/sky/sky";

/** The power of a meter over a stretch of time that begins at a moment, in W. */
type Meter = (from: Date) => number;

/**
 * A roof under a sky that is always clear. It has the model of `sun`, not that of the fit: constant haze, and panels
 * without heat and without reflection.
 */
export function clearRoof({ latitude, longitude }: Coordinates, panels: Panels, step: number): Meter {
  return (from) => {
    // The sky is that of longitude 0.
    const middle = new Date(from.getTime() + (step / 2) * 60_000 + longitude * 240_000);
    return (0.86 * panels.peakPower * onPlane(skyAt(middle, latitude), panels)) / 1000;
  };
}

/** The records of a meter from a day on. @param step in minutes */
export function recorded(meter: Meter, begin: string, days: number, step: number): Series | undefined {
  const first = Date.parse(begin) / 1000;
  const watts = Array.from({ length: (days * 1440) / step }, (_, i) => meter(new Date((first + i * step * 60) * 1000)));
  return seriesOf(stretchesFrom(first, step, watts), step);
}

/** Powers that follow each other. @param step in minutes */
export function stretchesFrom(first: number, step: number, watts: readonly number[]): Stretches {
  const from = Float64Array.from(watts, (_, i) => first + i * step * 60);
  return { from, to: from.map((at) => at + step * 60), watts: Float64Array.from(watts) };
}
