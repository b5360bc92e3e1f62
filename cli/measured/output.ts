import { xyChart } from "../clearDays/chart";
import { code, prose } from "../markdown";
import type { Paint } from "../paint";
import { HOURS, sparkline } from "../sparkline";
import { printable } from "../terminal";
import type { MeasuredInverter } from "../view/measured";
import { adviceWords, resultWords } from "./words";

/** A result as lines for a terminal: the words, then its best day as curves. */
export function roofText(result: MeasuredInverter, paint: Paint): string[] {
  const { name, differs, verdict, day } = result;
  const meaning = differs.length > 0 ? "warning" : verdict === "agrees" ? "good" : "strong";
  const [first, ...rest] = adviceWords(result);
  const words = [`${paint("strong", printable(name))}: ${resultWords(result)}`];
  if (first !== undefined) words.push([paint(meaning, first), ...rest].join(" "));
  if (!day) return words;
  const highest = Math.max(...day.measured, ...day.roof, ...day.declared);
  const line = (label: string, watts: readonly number[], of: "quiet" | "warning" | "good") =>
    `  ${paint("quiet", label.padEnd(14))}${paint(of, sparkline(watts, highest))} ${kilowatts(Math.max(...watts))}`;
  return [
    ...words,
    `  ${paint("quiet", day.date)}`,
    line("measured", day.measured, "good"),
    line("measured roof", day.roof, "quiet"),
    line("declared roof", day.declared, "warning"),
    paint("quiet", `  ${"".padEnd(14)}${HOURS} solar time`),
  ];
}

function kilowatts(watts: number): string {
  return `${Math.round(watts / 100) / 10} kW`;
}

/**
 * A result in Markdown: the words, and its best day as a picture. Bars are the measured power, the line is the
 * declared roof.
 */
export function roofMarkdown(result: MeasuredInverter): string[] {
  const { name, day, differs } = result;
  const sign = differs.length > 0 ? "⚠️ " : "";
  return [
    `**${code(name)}**: ${prose(resultWords(result))}`,
    "",
    sign + adviceWords(result).map(prose).join(" "),
    "",
    ...(day
      ? [
          ...xyChart({
            title: `${day.date}: bars measured, line declared`,
            axis: "kW",
            bars: day.measured,
            line: day.declared,
          }),
          "",
        ]
      : []),
  ];
}
