import type { SunChange } from "./change";
import type { SunDay } from "./site";
import { dayWords } from "./words";

/** Colours of before and after that stand out on white, on black and from each other. */
const SETTINGS = {
  xyChart: { height: 280 },
  themeVariables: { xyChart: { plotColorPalette: "#b6c2cf,#c2410c" } },
};

/** Most pictures of a page: forges draw each in a frame of its own, and GitLab draws 50 of a page (our choice). */
export const MOST_CHARTS = 10;

const HOURS_OF_DAY = 24;

type Which = "roofWatts" | "chargeWatts";

const AXES: Readonly<Record<Which, string>> = { roofWatts: "kW of the roofs", chargeWatts: "kW for the cars" };

/**
 * The shown day hour by hour as a picture, which GitHub and GitLab draw of a block for Mermaid: the power of the roofs, or
 * what is left for the cars if only that changes. Bars and a line differ without colours. No text in it is from
 * elsewhere, so none can end the block.
 */
export function sunChart({ before, after, shownDay }: SunChange): string[] {
  const now = after[shownDay] as SunDay;
  const then = before?.[shownDay];
  const which = then && hourly(then, "roofWatts") === hourly(now, "roofWatts") ? "chargeWatts" : "roofWatts";
  const highest = Math.max(...now[which], ...(then?.[which] ?? []));
  return [
    "```mermaid",
    `%%{init: ${JSON.stringify(SETTINGS)}}%%`,
    "xychart-beta",
    `  title "${dayWords(now)}${then ? ": bars before, line after" : ""}"`,
    `  x-axis "solar time" 0 --> ${HOURS_OF_DAY}`,
    // An axis needs a length also if there is no power at all.
    `  y-axis "${AXES[which]}" 0 --> ${inKilowatts(Math.max(highest, 100))}`,
    ...(then ? [`  bar [${hourly(then, which)}]`] : []),
    `  line [${hourly(now, which)}]`,
    "```",
  ];
}

/** The power at each full hour, of both midnights too, in kW. */
function hourly(day: SunDay, which: Which): string {
  const watts = day[which];
  const perHour = watts.length / HOURS_OF_DAY;
  return Array.from({ length: HOURS_OF_DAY + 1 }, (_, hour) =>
    inKilowatts(watts[(hour % HOURS_OF_DAY) * perHour] as number),
  ).join(",");
}

function inKilowatts(watts: number): number {
  return Math.round(watts / 10) / 100;
}
