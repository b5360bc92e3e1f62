import { code, head, row } from "../markdown";
import type { SunChange } from "./change";
import type { SunDay } from "./site";
import { HOURS, highestOf, sparkline } from "./sparkline";
import { carWords, dayWords, energyWords, peakMove, roofWords } from "./words";

/** The sun of a site in Markdown: what changes in words, a table of the days, and the curves of one of them. */
export function sunMarkdown(name: string, change: SunChange): string[] {
  const { roofs, shownDay } = change;
  return [
    `**${code(name)}**`,
    "",
    ...roofs.map((roof) => `- ${code(roof.name)}: ${roofWords(roof, shownDay)}`),
    `- ${carWords(change)}`,
    "",
    ...table(change),
    "",
    ...curves(change),
    "",
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

/** The curves of the shown day: what the roofs have before and after, hour by hour. */
function curves({ before, after, shownDay }: SunChange): string[] {
  const days = [before?.[shownDay], after[shownDay]];
  const known = days.flatMap((day) => day ?? []);
  const highest = highestOf(known, "roofWatts");
  const label = (text: string) => text.padEnd(8);
  const lines = days.flatMap((day, index) =>
    day
      ? [`    ${label(index === 0 ? "before" : before ? "after" : "roofs")}${sparkline(day.roofWatts, highest)}`]
      : [],
  );
  const title = `    ${dayWords(known[0] as SunDay)}, power of the roofs, highest ${(highest / 1000).toFixed(1)} kW`;
  return [title, ...lines, `    ${label("")}${HOURS}`];
}
