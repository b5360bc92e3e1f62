/** The units that the numbers of a series can have. */
export const UNITS = ["W", "kW", "MW", "Wh", "kWh", "MWh"] as const;
export type Unit = (typeof UNITS)[number];

/** `counter`: energy since some day, which falls only at a reset. */
export type Kind = "power" | "energy" | "counter";

/** The meaning of the numbers, and how it is known. */
export interface Quantity {
  readonly kind: Kind;
  readonly unit: Unit;
  /** `given`: by an option. `named`: by the header. `plausible`: only this unit gives a likely roof. */
  readonly from: "given" | "named" | "plausible";
}

const WORDS: Readonly<Record<string, Unit>> = {
  ...{ w: "W", watt: "W", watts: "W", kw: "kW", kilowatts: "kW", mw: "MW", wh: "Wh", kwh: "kWh", mwh: "MWh" },
};

/** The unit that a column names: `(W)`, `[Wh]`, `power_w`. */
export function unitIn(name: string): Unit | undefined {
  const words = name.split(/[^A-Za-z]+/);
  return words.map((word) => WORDS[word.toLowerCase()]).findLast((unit) => unit !== undefined);
}

/** The factor from a unit to W or Wh. */
export function factorOf(unit: Unit): number {
  return unit.startsWith("k") ? 1000 : unit.startsWith("M") ? 1_000_000 : 1;
}

/** Peak power of a roof on one inverter: lowest and highest, in W (our choice). */
const [LEAST, MOST] = [150, 10_000_000];

/**
 * Largest declared peak power, in W, that decides between units (our choice). Without this, a roof that is declared a
 * thousand times too large would be measured as that large.
 */
const MOST_DECLARED = 1_000_000;

/** Peak power of a usual roof, in W (our choice). */
const USUAL_PEAK = 8000;

/** Usual highest output of a roof, as a share of its peak power (our choice). */
const USUAL = 0.75;

/** The facts that tell the meaning of a column's numbers. */
interface QuantityHints {
  /** Length of a step. */
  readonly hours: number;
  /** The name of the column. */
  readonly name: string;
  readonly unit?: Unit | undefined;
  readonly declaredPeak?: number | undefined;
}

/**
 * The meaning of a column's numbers. If the column names no unit, it is the one in which the highest power fits a roof.
 * The declared peak power decides only between likely ones, because it may be wrong itself.
 * @param values in rising order of time
 */
export function quantityOf(values: Float64Array, { hours, name, unit: given, declaredPeak }: QuantityHints): Quantity {
  const named = given ?? unitIn(name);
  const isCounter = rises(values);
  if (named !== undefined) {
    const kind = named.endsWith("h") ? (isCounter ? "counter" : "energy") : "power";
    return { kind, unit: named, from: given === undefined ? "named" : "given" };
  }
  const steps = isCounter ? values.subarray(1).map((value, i) => value - (values[i] as number)) : values.slice();
  const most = steps.sort()[Math.floor(0.995 * (steps.length - 1))] ?? 0;
  const isEnergy = isCounter || /energ|ertrag|yield|produced/i.test(name);
  const likely = UNITS.filter((unit) => unit.endsWith("h") === isEnergy)
    .map((unit) => ({ unit, peak: (most * factorOf(unit)) / (isEnergy ? hours : 1) / USUAL }))
    .filter(({ peak }) => peak >= LEAST && peak <= MOST);
  const expected = declaredPeak === undefined || declaredPeak > MOST_DECLARED ? USUAL_PEAK : declaredPeak;
  const distance = (peak: number) => Math.abs(Math.log(peak / expected));
  const [best] = likely.toSorted((a, b) => distance(a.peak) - distance(b.peak));
  const unit = best?.unit ?? (isEnergy ? "Wh" : "W");
  return { kind: isCounter ? "counter" : isEnergy ? "energy" : "power", unit, from: "plausible" };
}

/** Whether values never fall, except for resets to nearly nothing. */
function rises(values: Float64Array): boolean {
  let [rising, falling] = [0, 0];
  for (const [i, value] of values.entries()) {
    const before = values[i - 1] ?? value;
    if (value > before) rising++;
    // A counter that is reset at midnight falls to 0 immediately; power and energy of a step fall gradually.
    else if (value < before) falling += value < 0.05 * before ? 0.2 : 1;
  }
  return rising > 0 && falling < 0.02 * rising;
}
