import type { SunChange } from "../clearDays/change";
import { carWords, dayWords, energyWords, peakMove, roofWords } from "../clearDays/words";
import { HOURS, highestOf, sparkline } from "../sparkline";
import type { Styler } from "../style";
import { printable } from "../terminal";

/** The sun of a site as lines for a terminal: the changes in words, then each day with its curve for the cars. */
export function sunText(change: SunChange, styled: Styler): string[] {
  const { before, after, roofs, planes } = change;
  const highest = highestOf([...after, ...(before ?? [])]);
  const words = [
    ...roofs.map((roof) => `${printable(roof.name)}: ${roofWords(roof)}`),
    ...planes.map(({ name, sent }) => `${printable(name)}: ${sent}`),
    carWords(change, printable),
  ];
  const days = after.flatMap((day, index) => {
    const then = before?.[index];
    const energy = `cars ${energyWords(then?.kilowattHours, day.kilowattHours)}`;
    const roof = `roofs ${energyWords(then?.roofKilowattHours, day.roofKilowattHours)}`;
    const figures = [energy, roof, `peak ${peakMove(then?.peakAt, day.peakAt)}`].join(", ");
    const label = (text: string) => styled("quiet", text.padEnd(8));
    return [
      `${dayWords(day)}: ${figures}`,
      ...(then ? [`  ${label("before")}${styled("quiet", sparkline(then.roofWatts, highest))}`] : []),
      `  ${label(then ? "after" : "roofs")}${styled("warning", sparkline(day.roofWatts, highest))}`,
      `  ${label("cars")}${styled("good", sparkline(day.chargeWatts, highest))}`,
    ];
  });
  return [...words, ...days, styled("quiet", `  ${"".padEnd(8)}${HOURS} solar time`)];
}
