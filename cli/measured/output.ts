import {
  hasMorePlanes,
  type MeasuredDevice,
  type MeasuredRoof,
  type MeasuredSetting,
  roofOf,
} from "../../measure/results/model";
import { wrongPanels } from "../../measure/sky/judge";
import { mean } from "../../measure/sky/numbers";
import { valueInWords } from "../../provider/settings/valueWords";
import { barChart, type Picture, xyChart } from "../clearDays/chart";
import { code, prose } from "../markdown";
import type { Styler } from "../style";
import { printable } from "../terminal";
import { adviceWords, jumpWords, resultWords } from "./roofWords";
import { settingsWords } from "./settings";
import { type Curve, type Curves, curvesText, HOURS } from "./sparkline";
import { changeWords, trendMarkdown, trendText } from "./trend";

/** The findings about a device as lines for a terminal: the words, then the pictures. */
export function deviceText(device: MeasuredDevice, styled: Styler): string[] {
  const roof = roofOf(device);
  const { values, advice } = settingsWords(device);
  return [
    ...(roof ? roofText(roof, styled) : []),
    ...(values === "" ? [] : [`${styled("strong", printable(device.name))}: ${values}`]),
    ...(advice.length > 0 ? [styled(device.verdict === "agrees" ? "good" : "warning", advice.join(" "))] : []),
    ...comparisonsOf(device).flatMap(({ title, bars, lines, ...rest }) =>
      curvesText({ ...rest, rows: [[title, "good", bars], ...lines] }, styled),
    ),
  ];
}

/** The findings about a device in Markdown. */
export function deviceMarkdown(device: MeasuredDevice): string[] {
  const roof = roofOf(device);
  const { values, advice } = settingsWords(device);
  const sign = Object.values(device.settings ?? {}).some((one) => one?.verdict === "differs") ? "⚠️ " : "";
  return [
    ...(roof ? roofMarkdown(roof) : []),
    ...(values === "" ? [] : [`**${code(device.name)}**: ${prose(values)}`, ""]),
    ...(advice.length > 0 ? [sign + prose(advice.join(" ")), ""] : []),
    ...comparisonsOf(device).flatMap(({ title, lines, ...rest }) => [
      ...barChart({
        ...rest,
        title: `bars: ${title}; lines: ${lines.map(([label]) => label).join(", ")}`,
        lines: lines.map(([, , values]) => values),
      }),
      "",
    ]),
  ];
}

/** A measured quantity as bars, and the measured and the declared value as lines over it. */
interface Comparison extends Omit<Picture, "lines">, Omit<Curves, "rows"> {
  readonly lines: readonly Curve[];
}

/** The pictures of a device: the energy of its sessions over the rise of charge, and the usual night of its house. */
function comparisonsOf({ settings: { maxCapacity, baseLoad } = {} }: MeasuredDevice): Comparison[] {
  const { points = [] } = maxCapacity ?? {};
  const { night = [], others = 0 } = baseLoad ?? {};
  const rises = Array.from({ length: 10 }, (_, i) => 10 * i + 5);
  const hours = Array.from({ length: night.length / 4 }, (_, i) => i);
  const energyAt = (x: number) =>
    mean(points.filter(([rise]) => Math.abs(rise - x) <= 5).map(([rise, energy]) => (energy / rise) * x));
  return [
    ...comparisonOf(maxCapacity, 0, (full) => rises.map((rise) => (full * rise) / 100), {
      ...{ title: "sessions", bars: points.length > 0 ? rises.map(energyAt) : [] },
      ...{ across: `"rise of charge, %" [${rises.join(",")}]`, axis: "kWh", inWords: inWordsOf("maxCapacity") },
      ticks: "5 %                rise of charge              95 %",
    }),
    ...comparisonOf(baseLoad, others, (load) => hours.map(() => load), {
      ...{ title: "usual night", bars: hours.map((hour) => mean(night.slice(4 * hour, 4 * hour + 4))) },
      ...{ across: `"hour" [${hours.map((hour) => (hour + 18) % 24).join(",")}]`, axis: "kW" },
      ...{ inWords: inWordsOf("baseLoad"), ticks: "18    20    22    0     2     4     6     8     10" },
    }),
  ];
}

/**
 * The picture, with lines for measured and declared.
 * @param others sum of what is declared elsewhere, which the measurement includes. @param lineOf the curve of a value
 */
function comparisonOf(
  { measured, declared }: Partial<MeasuredSetting> = {},
  others: number,
  lineOf: (value: number) => readonly number[],
  picture: Omit<Comparison, "lines">,
): Comparison[] {
  if (!measured || picture.bars.length === 0) return [];
  const ours: Curve[] = declared === undefined ? [] : [["declared", "warning", lineOf(declared + others)]];
  return [{ ...picture, lines: [["measured", "quiet", lineOf(measured.value)], ...ours] }];
}

function inWordsOf(setting: string): (value: number) => string {
  return (value) => valueInWords(setting, Number(value.toPrecision(3)));
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
