import { type MeasuredDevice, type MeasuredRoof, roofOf } from "../../measure/results/model";
import { mean } from "../../measure/sky/numbers";
import type { RoofTrend } from "../../measure/sky/trend";
import { code, prose } from "../markdown";
import type { Styler } from "../terminal";
import { printable } from "../terminal";
import { barChart, type Curve, curvesText, HOURS, xyChart } from "./charts";
import { type Paragraph, percent, powerWords, roofWords } from "./roofWords";
import { settingsWords } from "./settings";

/** A part of the findings about a device: sentences, or a picture for a terminal and for Markdown. */
type Part = Paragraph | { readonly lines: (styled: Styler) => readonly string[]; readonly block: readonly string[] };

/** The findings about a device as lines for a terminal. */
export function deviceText(device: MeasuredDevice, styled: Styler): string[] {
  return partsOf(device).flatMap((part) => {
    if ("lines" in part) return part.lines(styled);
    const [{ name, meaning }, text] = [part, part.sentences.join(" ")];
    return name === undefined ? styled(meaning, text) : `${styled(meaning, printable(name))}: ${text}`;
  });
}

/** The findings about a device in Markdown. */
export function deviceMarkdown(device: MeasuredDevice): string[] {
  return partsOf(device).flatMap((part) => {
    if ("block" in part) return [...part.block, ""];
    const [{ name, meaning }, text] = [part, part.sentences.map(prose).join(" ")];
    return [name === undefined ? `${meaning === "warning" ? "⚠️ " : ""}${text}` : `**${code(name)}**: ${text}`, ""];
  });
}

function partsOf(device: MeasuredDevice): Part[] {
  const { name, verdict, settings = {} } = device;
  const { values, advice } = settingsWords(device);
  const [roof, night] = [roofOf(device), nightOf(device)];
  const { trend } = roof ?? {};
  const differs = Object.values(settings).some((one) => one?.verdict === "differs");
  const parts: Part[] = [
    ...(roof ? roofWords(roof) : []),
    ...(roof?.day ? [pictureOf(roof.day)] : []),
    ...(trend ? [{ lines: (styled: Styler) => trendText(trend, styled), block: trendMarkdown(trend) }] : []),
    { name, sentences: values === "" ? [] : [values], meaning: "strong" },
    { sentences: advice, meaning: differs ? "warning" : verdict === "agrees" ? "good" : "strong" },
    ...(night ? [night] : []),
  ];
  return parts.filter((part) => "lines" in part || part.sentences.length > 0);
}

/** The best day. In Markdown, bars are the measured power, and the line is the declared roof. */
function pictureOf({ date, measured, roof, declared }: NonNullable<MeasuredRoof["day"]>): Part {
  const rows: Curve[] = [
    ["measured", "good", measured],
    ["measured roof", "quiet", roof],
    ...(declared ? [["declared roof", "warning", declared] as const] : []),
  ];
  return {
    lines: (styled) => [
      `  ${styled("quiet", date)}`,
      ...curvesText({ rows, ticks: `${HOURS} solar time`, inWords: powerWords }, styled),
    ],
    block: xyChart({
      title: `${date}: bars measured, line ${declared ? "declared" : "measured roof"}`,
      ...{ axis: "kW", bars: measured, line: declared ?? roof },
    }),
  };
}

/** The usual night of a house by the hour, and its measured and declared base load; undefined if none is measured. */
function nightOf({ settings: { baseLoad } = {} }: MeasuredDevice): Part | undefined {
  const { night = [], others = 0, measured, declared } = baseLoad ?? {};
  if (!measured || night.length === 0) return undefined;
  const bars = Array.from({ length: night.length / 4 }, (_, hour) => mean(night.slice(4 * hour, 4 * hour + 4)));
  const lineOf = (load: number) => bars.map(() => load);
  const lines: Curve[] = [
    ["measured", "quiet", lineOf(measured.value)],
    ...(declared === undefined ? [] : [["declared", "warning", lineOf(declared + others)] as const]),
  ];
  const ticks = "18    20    22    0     2     4     6     8     10";
  return {
    lines: (styled) =>
      curvesText({ rows: [["usual night", "good", bars], ...lines], ticks, inWords: powerWords }, styled),
    block: barChart({
      title: `bars: usual night; lines: ${lines.map(([label]) => label).join(", ")}`,
      ...{ across: `"hour" [${bars.map((_, hour) => (hour + 18) % 24).join(",")}]`, axis: "kW" },
      ...{ bars, lines: lines.map(([, , values]) => values) },
    }),
  };
}

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
    return `  ${styled("quiet", month.padEnd(14))}${styled(change && isAfter(month, change) ? "warning" : "good", bar)} ${powerWords(value)} ± ${percent(uncertainty / value)} %`;
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
