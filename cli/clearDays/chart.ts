import type { SunDay } from "../../sky/days";
import { SHOWN_DAY, type SunChange } from "./change";
import { dayWords } from "./words";

/** Colours of before and after that stand out on white, on black and from each other. */
const SETTINGS = {
  xyChart: { height: 280 },
  themeVariables: { xyChart: { plotColorPalette: "#b6c2cf,#c2410c" } },
};

/** Maximum number of pictures on a page (our choice): forges draw each in a frame, and GitLab draws at most 50. */
export const MOST_CHARTS = 10;

const HOURS_OF_DAY = 24;

type Which = "roofWatts" | "chargeWatts";

const AXES: Readonly<Record<Which, string>> = { roofWatts: "kW from the roofs", chargeWatts: "kW for the cars" };

/** The shown day hour by hour: the power of the roofs, or the power that is left for the cars if only that changes. */
export function sunChart({ before, after }: SunChange): string[] {
  const now = after[SHOWN_DAY] as SunDay;
  const then = before?.[SHOWN_DAY];
  const which = then && hourly(then.roofWatts) === hourly(now.roofWatts) ? "chargeWatts" : "roofWatts";
  return xyChart({
    title: `${dayWords(now)}${then ? ": bars before, line after" : ""}`,
    axis: AXES[which],
    ...(then && { bars: then[which] }),
    line: now[which],
  });
}

/** A day as a picture. Its texts are ours, so none can end the code block. */
export interface Picture {
  readonly title: string;
  /** The title of its axis of powers. */
  readonly axis: string;
  /** Powers of a day from midnight to midnight, in W. */
  readonly bars?: readonly number[];
  readonly line: readonly number[];
}

/**
 * The hourly powers of a day as a block for Mermaid, which GitHub and GitLab draw. Bars and a line differ even without
 * colours.
 */
export function xyChart({ title, axis, bars, line }: Picture): string[] {
  const highest = Math.max(...line, ...(bars ?? []));
  return [
    "```mermaid",
    `%%{init: ${JSON.stringify(SETTINGS)}}%%`,
    "xychart-beta",
    `  title "${title}"`,
    `  x-axis "solar time" 0 --> ${HOURS_OF_DAY}`,
    // An axis needs a length even if there is no power.
    `  y-axis "${axis}" 0 --> ${inKilowatts(Math.max(highest, 100))}`,
    ...(bars ? [`  bar [${hourly(bars)}]`] : []),
    `  line [${hourly(line)}]`,
    "```",
  ];
}

/** Bars with names, and lines over them. */
export interface BarPicture {
  readonly title: string;
  /** The titles of both axes. */
  readonly across: string;
  readonly axis: string;
  readonly names: readonly string[];
  /** Values in W or Wh. */
  readonly bars: readonly number[];
  readonly lines: readonly (readonly number[])[];
}

/** Bars and lines as a block for Mermaid. */
export function barChart({ title, across, axis, names, bars, lines }: BarPicture): string[] {
  const highest = Math.max(...bars, ...lines.flat(), 100);
  const list = (values: readonly number[]) => values.map(inKilowatts).join(",");
  const settings = { ...SETTINGS, themeVariables: { xyChart: { plotColorPalette: "#b6c2cf,#15803d,#c2410c" } } };
  return [
    "```mermaid",
    `%%{init: ${JSON.stringify(settings)}}%%`,
    "xychart-beta",
    `  title "${title}"`,
    `  x-axis "${across}" [${names.join(",")}]`,
    `  y-axis "${axis}" 0 --> ${inKilowatts(highest)}`,
    `  bar [${list(bars)}]`,
    ...lines.map((line) => `  line [${list(line)}]`),
    "```",
  ];
}

/** The power at each full hour, including both midnights, in kW. */
function hourly(watts: readonly number[]): string {
  const perHour = watts.length / HOURS_OF_DAY;
  return Array.from({ length: HOURS_OF_DAY + 1 }, (_, hour) =>
    inKilowatts(watts[(hour % HOURS_OF_DAY) * perHour] as number),
  ).join(",");
}

function inKilowatts(watts: number): number {
  return Math.round(watts / 10) / 100;
}
