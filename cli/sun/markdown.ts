import { code, head, row } from "../markdown";
import type { SunChange } from "./change";
import { MOST_CHARTS, sunChart } from "./chart";
import type { SunDay } from "./site";
import { carWords, dayWords, energyWords, peakMove, roofWords } from "./words";

/**
 * The sun of a site in Markdown: what changes in words, a table of the days, and a picture of one of them.
 * @param index of the site on its page, of which only the first sites have a picture
 */
export function sunMarkdown(name: string, change: SunChange, index: number): string[] {
  const { roofs, shownDay } = change;
  return [
    `**${code(name)}**`,
    "",
    ...roofs.map((roof) => `- ${code(roof.name)}: ${roofWords(roof, shownDay)}`),
    `- ${carWords(change)}`,
    "",
    ...table(change),
    "",
    ...(index < MOST_CHARTS ? [...sunChart(change), ""] : []),
  ];
}

function table({ before, after }: SunChange): string[] {
  const cells = (cellOf: (day: SunDay, then: SunDay | undefined) => string) =>
    after.map((day, index) => cellOf(day, before?.[index]));
  return [
    ...head(["clear day", ...cells(dayWords)]),
    row(["for the cars", ...cells((day, then) => energyWords(then?.kilowattHours, day.kilowattHours))]),
    row(["from the roofs", ...cells((day, then) => energyWords(then?.roofKilowattHours, day.roofKilowattHours))]),
    row(["peak, solar time", ...cells((day, then) => peakMove(then?.peakAt, day.peakAt))]),
  ];
}
