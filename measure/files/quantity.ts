import { mean } from "../sky/numbers";

/** The units that the numbers of a series can have. */
export const UNITS = ["W", "kW", "MW", "Wh", "kWh", "MWh"] as const;
export type Unit = (typeof UNITS)[number];

/** `counter`: the energy since some day. It falls only at a reset. */
export type Kind = "power" | "energy" | "counter";

/** The meaning of the numbers, and its source. */
export interface Quantity {
  readonly kind: Kind;
  readonly unit: Unit;
  /** `given`: by an option. `named`: by the header. `plausible`: only this unit gives a likely roof. */
  readonly from: "given" | "named" | "plausible";
}

const WORDS: Readonly<Record<string, Unit>> = {
  ...{ w: "W", watt: "W", watts: "W", kw: "kW", kwatt: "kW", kwatts: "kW", kilowatts: "kW", mw: "MW" },
  ...{ wh: "Wh", whs: "Wh", kwh: "kWh", kwhs: "kWh", mwh: "MWh" },
};

/** The unit that a column names: `(W)`, `[Wh]`, `power_w`. */
export function unitIn(name: string): Unit | undefined {
  const words = name
    .replace(/kilo ?watt ?hours?/gi, "kWh")
    .replace(/(?<=[a-z]{2}|h)(?=[A-Z])/g, " ")
    .split(/[^A-Za-z]+/);
  return words.map((word) => WORDS[word.toLowerCase()]).findLast((unit) => unit !== undefined);
}

/** The factor from a unit to W or Wh. */
export function factorOf(unit: Unit): number {
  return unit.startsWith("k") ? 1000 : unit.startsWith("M") ? 1_000_000 : 1;
}

/** Lowest and highest peak power of the panels of one inverter, in W (our choice). */
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

/** The likely mean power of a house: lowest, usual and highest, in W (our choice). */
const HOUSE = [30, 500, 30_000] as const;

/** Patterns for names without a unit: of a power, of an energy, and again of a power. The first that fits decides. */
const OF_POWER = /power|leistung|watt|(?<![a-z])p_|puissance|potencia|effekt|teho/i;
const OF_LOAD = /load|last(?![a-z])/i;
const OF_ENERGY =
  /energ|consum|verbrauch|verbruik|usage|volume|amount|mængde|määrä|forbruk|kulutus|electric|elektri|import|export|bezug|offtake|afname|total|kwh/i;

/** The facts that tell the meaning of a column's numbers. */
interface QuantityHints {
  /** Length of a step, in hours. */
  readonly hours: number;
  /** The name of the column, and the unit that the file names for it. */
  readonly name: string;
  readonly named?: Unit | undefined;
  /** The unit that the user gives. */
  readonly unit?: Unit | undefined;
  readonly declaredPeak?: number | undefined;
  readonly isHouse?: boolean | undefined;
}

/** Names of quantities that are neither power nor energy, and units of such. */
const OF_OTHER = /voltage|spannung|temperatur|frequen[cz]|[([] *(k?V|m?A|° ?[CF]|%|Hz) *[)\]]/i;

/**
 * The meaning of a column's numbers. If the column has no unit, it gets the unit in which its highest power is likely
 * for a roof, or its mean power for a house. The declared peak power decides only between likely units, because it may
 * be wrong itself.
 * @param values in rising order of time
 * @throws Error if the numbers of a house could be powers as well as energies of steps, or if the name is of neither
 */
export function quantityOf(values: Float64Array, hints: QuantityHints): Quantity {
  const { hours, name, declaredPeak, isHouse } = hints;
  const named = hints.unit ?? hints.named ?? unitIn(name);
  const isCounter = rises(values);
  if (named !== undefined) {
    const kind = named.endsWith("h") ? (isCounter ? "counter" : "energy") : "power";
    return { kind, unit: named, from: hints.unit === undefined ? "named" : "given" };
  }
  if (OF_OTHER.test(name))
    throw new Error(
      `'${name}' is neither a power nor an energy according to its name. Choose another --column, or give --unit`,
    );
  const steps = isCounter ? values.subarray(1).map((value, i) => value - (values[i] as number)) : values.slice();
  const positive = steps.map((one) => Math.max(0, one));
  const most = isHouse ? mean(positive) : (positive.sort()[Math.floor(0.995 * (steps.length - 1))] ?? 0);
  // The energy of an hour and its mean power are the same number.
  const word = [OF_POWER, OF_ENERGY, OF_LOAD].find((words) => words.test(name));
  if (isHouse && !isCounter && hours < 0.9 && word === undefined)
    throw new Error(
      `'${name}' has no unit, and its numbers can be powers or the energy of ${Math.round(60 * hours)} minutes: give --unit, such as W or kWh`,
    );
  const isEnergy = isCounter || (isHouse ? word === OF_ENERGY : /energ|ertrag|yield|produced/i.test(name));
  const [least, usual, largest] = isHouse ? HOUSE : [LEAST, USUAL_PEAK, MOST];
  const share = isHouse ? 1 : USUAL;
  const likely = UNITS.filter((unit) => unit.endsWith("h") === isEnergy)
    .map((unit) => ({ unit, size: (most * factorOf(unit)) / (isEnergy ? hours : 1) / share }))
    .filter(({ size }) => size >= least && size <= largest);
  const expected = isHouse || declaredPeak === undefined || declaredPeak > MOST_DECLARED ? usual : declaredPeak;
  const distance = (size: number) => Math.abs(Math.log(size / expected));
  const [best] = likely.toSorted((a, b) => distance(a.size) - distance(b.size));
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
