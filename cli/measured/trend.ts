import type { RoofTrend } from "../../measure/sky/trend";
import type { Styler } from "../style";
import { barChart } from "./chart";
import { peakWords, percent } from "./roofWords";

/** Columns of the highest bar. */
const COLUMNS = 30;

/** Whether most of a month is after a change. */
function isAfter(month: string, { since }: NonNullable<RoofTrend["change"]>): boolean {
  return since <= `${month}-15`;
}

/** The peak power by month as bars for a terminal, each with its ±. */
export function trendText({ months, change }: RoofTrend, styled: Styler): string[] {
  const highest = Math.max(...months.map(({ peakPower }) => peakPower.value));
  const bars = months.map(({ month, peakPower: { value, uncertainty } }) => {
    const bar = "█".repeat(Math.max(1, Math.round((value / highest) * COLUMNS))).padEnd(COLUMNS);
    return `  ${styled("quiet", month.padEnd(14))}${styled(change && isAfter(month, change) ? "warning" : "good", bar)} ${peakWords(value)} ± ${percent(uncertainty / value)} %`;
  });
  return [styled("quiet", "  peak power by month"), ...bars];
}

/** The trend as a picture in Markdown. Lines are the levels before and after a change. */
export function trendMarkdown({ months, change }: RoofTrend): string[] {
  return barChart({
    title: `peak power by month${change ? `; line: before and after ${change.since}` : ""}`,
    across: `"month" [${months.map(({ month }) => `"${month}"`).join(",")}]`,
    axis: "kW",
    bars: months.map(({ peakPower }) => peakPower.value),
    lines: change ? [months.map(({ month }) => (isAfter(month, change) ? change.after : change.before))] : [],
  });
}
