import { mean } from "../../measure/sky/numbers";
import type { Meaning, Styler } from "../style";

const BARS = [..." ▁▂▃▄▅▆▇█"];

/** Columns of a course: of a day, each is half an hour. */
const COLUMNS = 48;

/** A course as bars, each the mean of its part. @param highest the value of a full bar */
export function sparkline(values: readonly number[], highest: number): string {
  const size = values.length / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const from = Math.floor(column * size);
    const own = mean(values.slice(from, Math.max(from + 1, Math.floor((column + 1) * size))));
    const height = highest > 0 ? Math.round((own / highest) * (BARS.length - 1)) : 0;
    // Any power above 0 gets a visible bar.
    return BARS[own > 0 ? Math.max(1, height) : 0];
  }).join("");
}

/** A course, with its name and the meaning of its colour. */
export type Curve = readonly [label: string, meaning: Meaning, values: readonly number[]];

/** Courses below each other, which share their highest value and the places below them. */
interface Curves {
  readonly rows: readonly Curve[];
  readonly ticks: string;
  readonly inWords: (value: number) => string;
}

/** Courses for a terminal, each with its highest value in words. */
export function curvesText({ rows, ticks, inWords }: Curves, styled: Styler): string[] {
  const highest = Math.max(...rows.flatMap(([, , values]) => values));
  const line = (label: string, rest: string) => `  ${styled("quiet", label.padEnd(14))}${rest}`;
  return [
    ...rows.map(([label, meaning, values]) =>
      line(label, `${styled(meaning, sparkline(values, highest))} ${inWords(Math.max(...values))}`),
    ),
    line("", styled("quiet", ticks)),
  ];
}

/** The hours below a sparkline. */
export const HOURS = "0     3     6     9     12    15    18    21    24";
