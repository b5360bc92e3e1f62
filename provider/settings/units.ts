/**
 * Kilowatt-hours in the service's unit, Wh. The preview refuses a result that is not a finite number.
 * @example
 * const maxCapacity = kWh(77); // 77000, the same as "77 kWh"
 */
export function kWh(value: number): number {
  return tidy(value * 1000);
}

/**
 * Kilowatts in the service's unit, W. The preview refuses a result that is not a finite number.
 * @example
 * const maxChargePower = kW(11); // 11000, the same as "11 kW"
 */
export function kW(value: number): number {
  return tidy(value * 1000);
}

/** Rounds to a millionth, which removes the artifacts of binary fractions. */
export function tidy(value: number): number {
  return Number(value.toFixed(6));
}

/** A unit as it is shown, and its size in the unit of the service. */
export interface ShownUnit {
  readonly name: string;
  readonly factor: number;
}

/** The unit that suits all values: kilo, unless a value other than 0 is below one kilo. */
export function unitFor(unit: string | undefined, values: readonly unknown[]): ShownUnit {
  if (unit === undefined) return { name: "", factor: 1 };
  if (unit === "degrees") return { name: "°", factor: 1 };
  const numbers = values.filter((value) => typeof value === "number" && value !== 0) as number[];
  const isKilo = numbers.length > 0 && numbers.every((value) => Math.abs(value) >= 1000);
  return isKilo ? { name: ` k${unit}`, factor: 1000 } : { name: ` ${unit}`, factor: 1 };
}

/**
 * A value with its unit: `7.4 kW`, `900 W`, `22.5°`.
 * @param compared values beside it, which get the same unit
 */
export function quantityText(unit: string, value: number, compared: readonly number[] = []): string {
  const { name, factor } = unitFor(unit, [value, ...compared]);
  return `${tidy(value / factor)}${name}`;
}
