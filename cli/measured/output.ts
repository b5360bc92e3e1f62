import { hasMorePlanes, type MeasuredDevice, type MeasuredRoof, roofOf } from "../../measure/results/model";
import { wrongPanels } from "../../measure/sky/judge";
import { mean } from "../../measure/sky/numbers";
import { valueInWords } from "../../provider/settings/valueWords";
import { barChart, xyChart } from "../clearDays/chart";
import { code, prose } from "../markdown";
import type { Styler } from "../style";
import { printable } from "../terminal";
import { adviceWords, jumpWords, resultWords } from "./roofWords";
import { settingsWords } from "./settings";
import { type Curve, curvesText, HOURS } from "./sparkline";
import { changeWords, trendMarkdown, trendText } from "./trend";

/** The findings about a device as lines for a terminal: the words, then the pictures. */
export function deviceText(device: MeasuredDevice, styled: Styler): string[] {
  const roof = roofOf(device);
  const { values, advice } = settingsWords(device);
  const night = nightOf(device);
  return [
    ...(roof ? roofText(roof, styled) : []),
    ...(values === "" ? [] : [`${styled("strong", printable(device.name))}: ${values}`]),
    ...(advice.length > 0 ? [styled(device.verdict === "agrees" ? "good" : "warning", advice.join(" "))] : []),
    ...(night
      ? curvesText(
          {
            rows: [["usual night", "good", night.bars], ...night.lines],
            ...{ ticks: "18    20    22    0     2     4     6     8     10", inWords: baseLoadWords },
          },
          styled,
        )
      : []),
  ];
}

/** The findings about a device in Markdown. */
export function deviceMarkdown(device: MeasuredDevice): string[] {
  const roof = roofOf(device);
  const { values, advice } = settingsWords(device);
  const night = nightOf(device);
  const sign = Object.values(device.settings ?? {}).some((one) => one?.verdict === "differs") ? "⚠️ " : "";
  return [
    ...(roof ? roofMarkdown(roof) : []),
    ...(values === "" ? [] : [`**${code(device.name)}**: ${prose(values)}`, ""]),
    ...(advice.length > 0 ? [sign + prose(advice.join(" ")), ""] : []),
    ...(night
      ? [
          ...barChart({
            title: `bars: usual night; lines: ${night.lines.map(([label]) => label).join(", ")}`,
            ...{ across: `"hour" [${night.bars.map((_, hour) => (hour + 18) % 24).join(",")}]`, axis: "kW" },
            ...{ bars: night.bars, lines: night.lines.map(([, , values]) => values) },
          }),
          "",
        ]
      : []),
  ];
}

/** The usual night of a house by the hour, and its measured and declared base load; undefined if none is measured. */
function nightOf({ settings: { baseLoad } = {} }: MeasuredDevice) {
  const { night = [], others = 0, measured, declared } = baseLoad ?? {};
  if (!measured || night.length === 0) return undefined;
  const bars = Array.from({ length: night.length / 4 }, (_, hour) => mean(night.slice(4 * hour, 4 * hour + 4)));
  const lineOf = (load: number) => bars.map(() => load);
  const ours: Curve[] = declared === undefined ? [] : [["declared", "warning", lineOf(declared + others)]];
  return { bars, lines: [["measured", "quiet", lineOf(measured.value)] as Curve, ...ours] };
}

function baseLoadWords(watts: number): string {
  return valueInWords("baseLoad", Number(watts.toPrecision(3)));
}

/** A result as lines for a terminal: the words, then its best day as curves. */
function roofText(result: MeasuredRoof, styled: Styler): string[] {
  const { name, panels, day, trend } = result;
  const isGood = !Object.values(panels).includes("notEnough") && !hasMorePlanes(result);
  const meaning = wrongPanels(result).length > 0 ? "warning" : isGood ? "good" : "strong";
  const [first, ...rest] = adviceWords(result);
  const words = [`${styled("strong", printable(name))}: ${resultWords(result)}`];
  if (first !== undefined) words.push([styled(meaning, first), ...rest].join(" "));
  words.push(...jumpWords(result).map((line) => styled("warning", line)));
  if (trend?.change) words.push(styled("warning", changeWords(trend).join(" ")));
  if (!day) return words;
  return [
    ...words,
    `  ${styled("quiet", day.date)}`,
    ...curvesText(
      {
        rows: [
          ["measured", "good", day.measured],
          ["measured roof", "quiet", day.roof],
          ...(day.declared ? [["declared roof", "warning", day.declared] as const] : []),
        ],
        ...{ ticks: `${HOURS} solar time`, inWords: kilowatts },
      },
      styled,
    ),
    ...(trend ? [styled("quiet", "  peak power by month"), ...trendText(trend, styled)] : []),
  ];
}

function kilowatts(watts: number): string {
  return `${Math.round(watts / 100) / 10} kW`;
}

/**
 * A result in Markdown: the words, and its best day as a picture. Bars are the measured power, the line is the
 * declared roof.
 */
function roofMarkdown(result: MeasuredRoof): string[] {
  const { name, day, trend } = result;
  const sign = wrongPanels(result).length > 0 ? "⚠️ " : "";
  return [
    `**${code(name)}**: ${prose(resultWords(result))}`,
    "",
    sign + adviceWords(result).map(prose).join(" "),
    "",
    ...jumpWords(result).flatMap((line) => [`⚠️ ${prose(line)}`, ""]),
    ...(trend?.change ? [`⚠️ ${changeWords(trend).map(prose).join(" ")}`, ""] : []),
    ...(day
      ? [
          ...xyChart({
            title: `${day.date}: bars measured, line ${day.declared ? "declared" : "measured roof"}`,
            axis: "kW",
            bars: day.measured,
            line: day.declared ?? day.roof,
          }),
          "",
        ]
      : []),
    ...(trend ? trendMarkdown(trend) : []),
  ];
}
