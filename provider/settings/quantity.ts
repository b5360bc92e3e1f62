import { listed, noValue, tooLong, typeName } from "./explain";
import { isWithin, type NumberSetting, type ReadNumber } from "./setting";
import { quantityText, tidy } from "./units";

/** The units of a quantity, each with its factor. */
const UNITS = {
  Wh: { Wh: 1, kWh: 1000, MWh: 1_000_000 },
  W: { W: 1, kW: 1000, MW: 1_000_000 },
  degrees: { "°": 1, deg: 1, degrees: 1 },
} as const;

/** Units of the peak power of panels, in addition to those of power. */
const PEAK_UNITS = { Wp: 1, kWp: 1000, MWp: 1_000_000 };

/** A number, and the unit after it. */
const QUANTITY = /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*([^\d\s.,'_+-].*)$/u;

/** The unit of a setting, and the facts that decide which texts are accepted for it. */
export type Measure = Pick<NumberSetting, "unit" | "isPeakPower" | "isTilt" | "examples"> &
  Partial<Pick<NumberSetting, "minimum" | "maximum">>;

/** The units in which a person may write the quantity. */
export function unitsOf({ unit, isPeakPower }: Measure): Readonly<Record<string, number>> {
  return { ...UNITS[unit], ...(isPeakPower && PEAK_UNITS) };
}

/**
 * Reads a text such as `77 kWh` in the unit of the setting: Wh, W or degrees. Case does not matter, except that M is
 * mega and m is milli.
 */
export function readQuantity(measure: Measure, text: string): ReadNumber {
  const known = unitsOf(measure);
  const [, digits, unit = ""] = QUANTITY.exec(text.trim()) ?? [];
  if (digits === undefined) return { problem: notAQuantity(measure, text) };
  const spelled = Object.keys(known).find((name) => sameUnit(name, unit));
  if (spelled !== undefined) return { value: tidy(Number(digits) * (known[spelled] as number)) };
  if (unit === "%" && measure.isTilt && Number(digits) > 0) return { problem: slopeProblem(Number(digits)) };
  // A latitude, such as 48°08' N.
  if (Number(measure.minimum) < 0)
    return { problem: `must be in decimal degrees, negative in the south, such as 48.13, not ${JSON.stringify(text)}` };
  const units = Object.keys(known);
  const fitting = units.filter((name) => isWithin(measure, Number(digits) * (known[name] as number)));
  const other = Object.entries({ ...UNITS, peak: PEAK_UNITS }).find(([, units]) =>
    Object.keys(units).some((name) => sameUnit(name, unit)),
  )?.[0] as keyof typeof KINDS | undefined;
  const why = other ? `is a unit of ${KINDS[other]}, not of ${KINDS[measure.unit]}` : "is not a known unit";
  return {
    problem: `${JSON.stringify(unit)} in ${JSON.stringify(text)} ${why}: write ${listed(fitting.length > 0 ? fitting : units, "or")}`,
  };
}

/** The problem of a tilt that is given as a slope. Without this, somebody would write 30° for 30 %, which is 17°. */
function slopeProblem(percent: number): string {
  const degrees = (Math.atan(percent / 100) * 180) / Math.PI;
  return `must be in degrees: a slope of ${percent} % is ${degrees.toFixed(1)}°`;
}

const KINDS = { Wh: "energy", W: "power", degrees: "angle", peak: "peak power" };

function notAQuantity(measure: Measure, text: string): string {
  const bare = text.trim();
  if (NUMBER.test(bare)) {
    const meant = [Number(bare), Number(bare) * 1000].find((one) => isWithin(measure, one));
    if (meant !== undefined) return `must have a unit: write "${quantityText(measure.unit, meant)}"`;
  }
  const readings = withoutComma(bare).filter((one) => {
    const read = NUMBER.test(one) ? { value: Number(one) } : readQuantity(measure, one);
    return "value" in read && isWithin(measure, read.value);
  });
  if (readings.length > 0) return `has a comma in ${JSON.stringify(text)}: write ${listed(readings, "or")}`;
  return `must be a number${measure.unit === "degrees" ? "" : " with a unit"}, such as ${exampleOf(measure)}, not ${JSON.stringify(text)}`;
}

/** A number without a unit. */
const NUMBER = /^[+-]?(\d+(\.\d+)?|\.\d+)$/;

/** The possible readings of a number with commas: a comma separates thousands or decimals. Empty if it has none. */
function withoutComma(text: string): readonly string[] {
  const [, number = "", unit] = /^([\d.,+-]*)((?![\d.,+-])[^\d,]*)$/.exec(text) ?? [];
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(number) ? [`${number.replaceAll(",", "")}${unit}`] : [];
  return /^[+-]?\d+,\d+$/.test(number) ? [...plain, `${number.replace(",", ".")}${unit}`] : plain;
}

/** A value that a person may write. */
function exampleOf({ unit, examples = [] }: Measure): string {
  return JSON.stringify(examples[0] ?? { Wh: "77 kWh", W: "11 kW", degrees: 30 }[unit]);
}

/** Reads a setting that is not a plain number: a text with a unit, or another form of the setting. */
export function readNumber(setting: NumberSetting, given: unknown): ReadNumber | undefined {
  const problem = tooLong(given);
  if (problem) return { problem };
  const isQuantity = typeof given === "string" && (!setting.otherForms || /\d/.test(given));
  return isQuantity ? readQuantity(setting, given) : setting.otherForms?.(given);
}

/** The problem of a value that is neither a number nor a text. */
export function notANumber(measure: Measure, given: unknown): string {
  return given === null
    ? noValue(`a number in ${measure.unit} or a text such as ${exampleOf(measure)}`)
    : `must be a number in ${measure.unit}, or a text with its unit, such as ${exampleOf(measure)}, not ${typeName(given)}`;
}

function sameUnit(name: string, given: string): boolean {
  return (
    name.length === given.length &&
    [...name].every((letter, index) =>
      isFixed(letter) ? letter === given[index] : letter.toLowerCase() === given[index]?.toLowerCase(),
    )
  );
}

/** Whether the case of a letter matters: a small m would mean milli, and the degree sign has no capital. */
export function isFixed(letter: string): boolean {
  return letter === "°" || letter === "M";
}
