import type { SunDay } from "../../measure/sky/days";

const BARS = [..." ▁▂▃▄▅▆▇█"];

/** Columns of a day, each half an hour. */
const COLUMNS = 48;

/** Powers of a day as bars, each the mean of half an hour. @param highest the power of a full bar, in W */
export function sparkline(watts: readonly number[], highest: number): string {
  const size = watts.length / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const some = watts.slice(column * size, (column + 1) * size);
    const mean = some.reduce((total, one) => total + one, 0) / some.length;
    const height = highest > 0 ? Math.round((mean / highest) * (BARS.length - 1)) : 0;
    // Any power above 0 gets a visible bar.
    return BARS[mean > 0 ? Math.max(1, height) : 0];
  }).join("");
}

/** The hours below a sparkline. */
export const HOURS = "0     3     6     9     12    15    18    21    24";

/** The highest power of the roofs on some days. */
export function highestOf(days: readonly SunDay[]): number {
  return Math.max(0, ...days.flatMap((day) => day.roofWatts));
}
