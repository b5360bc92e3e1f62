import type { SunDay } from "../../measure/sky/days";
import { code, head, prose, row } from "../markdown";
import { xyChart } from "../measured/charts";
import { decisiveChange, SHOWN_DAY, type SunChange } from "./change";
import { dayWords, energyWords, peakMove, shareWords, sunWords } from "./words";

/**
 * The sun of a site in Markdown: the change in words, a table of the days, and a picture of one of them if its energy
 * changes visibly, or if it had none before.
 */
export function sunMarkdown(name: string, change: SunChange): string[] {
  return [
    `**${code(name)}**`,
    "",
    ...sunWords(change, code, prose).map((words) => `- ${words}`),
    "",
    ...table(change),
    "",
    ...(isWorthAChart(change) ? [...sunChart(change), ""] : []),
  ];
}

/** The least visible change of a year's energy, as a fraction (our choice). */
const LEAST_SHARE = 0.05;

function isWorthAChart(change: SunChange): boolean {
  const share = decisiveChange(change)?.share;
  return share === undefined || Math.abs(share) >= LEAST_SHARE;
}

function table({ before, after, year }: SunChange): string[] {
  const cells = (cellOf: (day: SunDay, then: SunDay | undefined) => string) =>
    after.map((day, index) => cellOf(day, before?.[index]));
  return [
    ...head(["clear day", ...cells(dayWords), ...(year ? ["year"] : [])]),
    row([
      "for the cars",
      ...cells((day, then) => energyWords(then?.kilowattHours, day.kilowattHours)),
      ...(year ? [yearWords(year.cars)] : []),
    ]),
    row([
      "from the roofs",
      ...cells((day, then) => energyWords(then?.roofKilowattHours, day.roofKilowattHours)),
      ...(year ? [yearWords(year.roofs)] : []),
    ]),
    row(["peak (solar time)", ...cells((day, then) => peakMove(then?.peakAt, day.peakAt)), ...(year ? [""] : [])]),
  ];
}

function yearWords(share: number | undefined): string {
  return share === undefined ? "none before" : shareWords(share) || "same";
}

type Which = "roofWatts" | "chargeWatts";

const AXES: Readonly<Record<Which, string>> = { roofWatts: "kW from the roofs", chargeWatts: "kW for the cars" };

/** The shown day hour by hour: the power of the roofs, or the power that is left for the cars if only that changes. */
export function sunChart({ before, after }: SunChange): string[] {
  const now = after[SHOWN_DAY] as SunDay;
  const then = before?.[SHOWN_DAY];
  const shown = (day: SunDay) => day.roofWatts.map((watts) => Math.round(watts / 10)).join();
  const which = then && shown(then) === shown(now) ? "chargeWatts" : "roofWatts";
  return xyChart({
    title: `${dayWords(now)}${then ? ": bars before, line after" : ""}`,
    axis: AXES[which],
    ...(then && { bars: then[which] }),
    line: now[which],
  });
}
