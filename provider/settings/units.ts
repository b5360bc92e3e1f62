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

/** Rounded to a millionth: without the digits that only binary fractions bring. */
export function tidy(value: number): number {
  return Number(value.toFixed(6));
}
