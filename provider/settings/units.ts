/** Kilowatt-hours in the service's unit, Wh: `kWh(77)` is 77000. What is not a finite number is refused as a setting. */
export function kWh(value: number): number {
  return tidy(value * 1000);
}

/** Kilowatts in the service's unit, W: `kW(11)` is 11000. What is not a finite number is refused as a setting. */
export function kW(value: number): number {
  return tidy(value * 1000);
}

/** Rounded to a millionth: without the digits that only binary fractions bring. */
export function tidy(value: number): number {
  return Number(value.toFixed(6));
}
