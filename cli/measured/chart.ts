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
    ...{ title, across: `"solar time" 0 --> ${HOURS_OF_DAY}`, axis, highest: Math.max(...line, ...bars) },
    ...{ bars: hourly(bars), lines: [hourly(line)], colours: "#b6c2cf,#c2410c" },
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
  /** Default: the highest of the values. */
  readonly highest?: number;
  /** Default: those of bars and two lines. They stand out on white, on black and from each other. */
  readonly colours?: string;
}

/** A picture as a block for Mermaid, which GitHub and GitLab draw. Bars and a line differ even without colours. */
export function barChart({ title, across, axis, bars, lines, ...more }: Picture): string[] {
  const { highest = Math.max(...bars, ...lines.flat()), colours = "#b6c2cf,#15803d,#c2410c" } = more;
  const settings = { xyChart: { height: 280 }, themeVariables: { xyChart: { plotColorPalette: colours } } };
  const list = (values: readonly number[]) => values.map(inKilowatts).join(",");
  return [
    "```mermaid",
    `%%{init: ${JSON.stringify(settings)}}%%`,
    "xychart-beta",
    `  title "${title}"`,
    `  x-axis ${across}`,
    // An axis needs a length even if there is no power.
    `  y-axis "${axis}" 0 --> ${inKilowatts(Math.max(highest, 100))}`,
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
