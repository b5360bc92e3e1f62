import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Panels } from "../../measure/sky/plane";
import { ROOT } from "./project";

/** An invented export of a roof's production in the form of a real portal, and the true roof. */
export interface MeasuredRoof {
  readonly file: string;
  /** The kind of roof, such as `clipped` or `two-planes-ew`. */
  readonly kind: string;
  readonly text: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
  readonly label: "start" | "end";
  readonly planes: readonly Panels[];
  /** The share of the panels that delivers. */
  readonly works: number;
  readonly clockMinutes: number;
  /** The result of another program (numpy) that knows clock and zone. */
  readonly reference: { readonly azimuth: number; readonly tilt: number };
}

/**
 * 25 roofs of 60 days each, in ten formats. They were calculated with pvlib, and not with our model: changing
 * turbidity, Perez' sky, reflection, wind, weather and an inverter. The clouds of `25-plain-broken-clouds` look like a
 * second plane on a few days.
 */
export function measuredRoofs(): readonly MeasuredRoof[] {
  const packed = readFileSync(join(ROOT, "test/measure/roofs.json.br"));
  return JSON.parse(brotliDecompressSync(packed).toString());
}
