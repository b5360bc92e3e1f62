import { mean } from "../../measure/sky/numbers";
import type { Meaning, Styler } from "../terminal";

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

const HOURS_OF_DAY = 24;

/** A day as a picture. */
interface DayPicture extends Pick<Picture, "title" | "axis"> {
  /** Powers of a day from midnight to midnight, in W. */
  readonly bars?: readonly number[];
  readonly line: readonly number[];
}

/** The hourly powers of a day as a block for Mermaid. */
export function xyChart({ title, axis, bars = [], line }: DayPicture): string[] {
  return barChart({
    ...{ title, across: `"solar time" 0 --> ${HOURS_OF_DAY}`, axis },
    ...{ bars: hourly(bars), lines: [hourly(line)] },
  });
}

/** Bars, and lines over them. Its texts are ours, so none can end the code block. */
interface Picture {
  readonly title: string;
  /** The axis across, with its range or its names: `"hour" [1,2,3]`. */
  readonly across: string;
  /** The title of the axis of the values. */
  readonly axis: string;
  /** Values in W or Wh. */
  readonly bars: readonly number[];
  readonly lines: readonly (readonly number[])[];
}

/** The colours of bars and two lines. They stand out on white, on black and from each other. */
const COLOURS = "#b6c2cf,#c2410c,#15803d";

/** A picture as a block for Mermaid, which GitHub and GitLab draw. Bars and a line differ even without colours. */
export function barChart({ title, across, axis, bars, lines }: Picture): string[] {
  const settings = { xyChart: { height: 280 }, themeVariables: { xyChart: { plotColorPalette: COLOURS } } };
  const list = (values: readonly number[]) => values.map(inKilowatts).join(",");
  return [
    "```mermaid",
    `%%{init: ${JSON.stringify(settings)}}%%`,
    "xychart-beta",
    `  title "${title}"`,
    `  x-axis ${across}`,
    // An axis needs a length even if there is no power.
    `  y-axis "${axis}" 0 --> ${inKilowatts(Math.max(...bars, ...lines.flat(), 100))}`,
    ...(bars.length > 0 ? [`  bar [${list(bars)}]`] : []),
    ...lines.map((line) => `  line [${list(line)}]`),
    "```",
  ];
}

/** The power at each full hour, including both midnights. */
function hourly(watts: readonly number[]): number[] {
  const hours = Array.from({ length: watts.length > 0 ? HOURS_OF_DAY + 1 : 0 }, (_, hour) => hour % HOURS_OF_DAY);
  return hours.map((hour) => watts[(hour * watts.length) / HOURS_OF_DAY] as number);
}

function inKilowatts(watts: number): number {
  return Math.round(watts / 10) / 100;
}
