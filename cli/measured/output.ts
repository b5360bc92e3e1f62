import {
  hasMorePlanes,
  type MeasuredDevice,
  type MeasuredRoof,
  type MeasuredSetting,
  roofOf,
} from "../../measure/results/model";
import { wrongPanels } from "../../measure/sky/judge";
import { valueInWords } from "../../provider/settings/valueWords";
import { barChart, type Picture, xyChart } from "../clearDays/chart";
import { code, prose } from "../markdown";
import type { Styler } from "../style";
import { printable } from "../terminal";
import { adviceWords, jumpWords, resultWords } from "./roofWords";
import { scatterText } from "./scatter";
import { settingsWords } from "./settings";
import { HOURS, sparkline } from "./sparkline";
import { changeWords, trendMarkdown, trendText } from "./trend";

/** The findings about a device as lines for a terminal: the words, then the pictures. */
export function deviceText(device: MeasuredDevice, styled: Styler): string[] {
  const roof = roofOf(device);
  const { values, advice } = settingsWords(device);
  const { maxCapacity, baseLoad } = device.settings ?? {};
  return [
    ...(roof ? roofText(roof, styled) : []),
    ...(values === "" ? [] : [`${styled("strong", printable(device.name))}: ${values}`]),
    ...(advice.length > 0 ? [styled("warning", advice.join(" "))] : []),
    ...(maxCapacity ? sessionsText(maxCapacity, styled) : []),
    ...(baseLoad ? nightText(baseLoad, styled) : []),
  ];
}

/** The findings about a device in Markdown. */
export function deviceMarkdown(device: MeasuredDevice): string[] {
  const roof = roofOf(device);
  const { values, advice } = settingsWords(device);
  const { maxCapacity, baseLoad } = device.settings ?? {};
  const sign = Object.values(device.settings ?? {}).some((one) => one?.verdict === "differs") ? "⚠️ " : "";
  return [
    ...(roof ? roofMarkdown(roof) : []),
    ...(values === "" ? [] : [`**${code(device.name)}**: ${prose(values)}`, ""]),
    ...(advice.length > 0 ? [sign + prose(advice.join(" ")), ""] : []),
    ...(maxCapacity ? sessionsMarkdown(maxCapacity) : []),
    ...(baseLoad ? nightMarkdown(baseLoad) : []),
  ];
}

const energy = (wattHours: number) => valueInWords("maxCapacity", Math.round(wattHours / 1000) * 1000);

/** The sessions' energy over their rise of charge, with the measured and the declared capacity as lines. */
function sessionsText({ points = [], measured, declared }: MeasuredSetting, styled: Styler): string[] {
  if (!measured || points.length === 0) return [];
  const lines = [
    { at100: measured.value, sign: "·", meaning: "strong" as const },
    ...(declared === undefined ? [] : [{ at100: declared, sign: "╌", meaning: "warning" as const }]),
  ];
  return [
    ...scatterText({ points, lines, unitOf: energy }, styled),
    `  ${"".padEnd(14)}${styled("good", "• session")}   ${styled("strong", "· measured")}${declared === undefined ? "" : `   ${styled("warning", "╌ declared")}`}`,
  ];
}

/** Rises of charge of a picture's bars, in percent. */
const RISE = 10;

function sessionsMarkdown({ points = [], measured, declared }: MeasuredSetting): string[] {
  if (!measured || points.length === 0) return [];
  const bins = Array.from({ length: 100 / RISE }, (_, i) => (i + 0.5) * RISE);
  const meanOf = (x: number) => {
    const own = points.filter(([rise]) => Math.abs(rise - x) <= RISE / 2);
    return own.length === 0 ? 0 : own.reduce((sum, [rise, wattHours]) => sum + (wattHours / rise) * x, 0) / own.length;
  };
  return comparison(
    { title: "sessions", across: `"rise of charge, %" [${bins.join(",")}]`, axis: "kWh", bars: bins.map(meanOf) },
    [measured.value, declared].map((at100) => at100 && bins.map((x) => (at100 * x) / 100)),
  );
}

/** Bars with the lines of the measured and of the declared value, if there is one. */
function comparison(picture: Omit<Picture, "lines">, lines: readonly (0 | readonly number[] | undefined)[]): string[] {
  const known = lines.flatMap((line) => (line ? [line] : []));
  const title = `bars: ${picture.title}; lines: measured${known.length > 1 ? ", declared" : ""}`;
  return [...barChart({ ...picture, title, lines: known }), ""];
}

/** A row of a picture: what it shows, its course, and its highest power in words. */
function rowOf(styled: Styler, highest: number, inWords: (watts: number) => string) {
  return (label: string, watts: readonly number[], of: "quiet" | "warning" | "good") =>
    `  ${styled("quiet", label.padEnd(14))}${styled(of, sparkline(watts, highest))} ${inWords(Math.max(...watts))}`;
}

/** The usual night of a house, with the measured and the declared base load. */
function nightText({ night = [], measured, declared, others = 0 }: MeasuredSetting, styled: Styler): string[] {
  if (!measured || night.length === 0) return [];
  const ours = declared === undefined ? undefined : declared + others;
  const highest = Math.max(...night, measured.value, ours ?? 0);
  const row = rowOf(styled, highest, (watts) => valueInWords("baseLoad", Number(watts.toPrecision(3))));
  const level = (watts: number) => night.map(() => watts);
  return [
    row("usual night", night, "good"),
    row("measured", level(measured.value), "quiet"),
    ...(ours === undefined ? [] : [row("declared", level(ours), "warning")]),
    styled("quiet", `  ${"".padEnd(14)}${NIGHT_HOURS}`),
  ];
}

/** The hours below the sparkline of a night. */
const NIGHT_HOURS = "18    20    22    0     2     4     6     8     10";

function nightMarkdown({ night = [], measured, declared, others = 0 }: MeasuredSetting): string[] {
  if (!measured || night.length === 0) return [];
  const hours = Array.from({ length: night.length / 4 }, (_, i) => i);
  const meanOf = (hour: number) => night.slice(4 * hour, 4 * hour + 4).reduce((sum, one) => sum + one, 0) / 4;
  return comparison(
    {
      ...{ title: "usual night", across: `"hour" [${hours.map((hour) => (hour + 18) % 24).join(",")}]`, axis: "kW" },
      bars: hours.map(meanOf),
    },
    [measured.value, declared === undefined ? undefined : declared + others].map(
      (watts) => watts && hours.map(() => watts),
    ),
  );
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
  const highest = Math.max(...day.measured, ...day.roof, ...(day.declared ?? []));
  const line = rowOf(styled, highest, kilowatts);
  return [
    ...words,
    `  ${styled("quiet", day.date)}`,
    line("measured", day.measured, "good"),
    line("measured roof", day.roof, "quiet"),
    ...(day.declared ? [line("declared roof", day.declared, "warning")] : []),
    styled("quiet", `  ${"".padEnd(14)}${HOURS} solar time`),
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
