import { hasMorePlanes, type MeasuredRoof } from "../../measure/results/model";
import {
  FOLD_UNCERTAINTY,
  type Mistake,
  NEARLY_FLAT,
  PANEL_SETTINGS,
  type PanelSetting,
  panelVerdict,
  wrongPanels,
} from "../../measure/sky/judge";
import type { Measurement } from "../../measure/sky/numbers";
import { type Panels, turn } from "../../measure/sky/plane";
import { listed } from "../../provider/settings/explain";
import { changeInWords, pointOf, valueInWords } from "../../provider/settings/valueWords";
import type { Meaning } from "../terminal";
import { counted, settingInWords } from "../words";
import { type Move, reasonWords } from "./settings";

/** The measurement of a setting: `158° ± 9° (SSE)`, `9.5 kW ± 15 %`. */
function measuredWords(setting: PanelSetting, { value, uncertainty }: Measurement): string {
  if (setting === "peakPower") {
    return `${valueInWords(setting, rounded(value))} ± ${Math.round((100 * uncertainty) / value)} %`;
  }
  const words = `${Math.round(value)}° ± ${Math.round(uncertainty)}°`;
  return setting === "azimuth" ? `${words} (${pointOf(value)})` : words;
}

/** Sentences about a device, and their meaning. */
export interface Paragraph {
  readonly name?: string;
  readonly sentences: readonly string[];
  readonly meaning: Meaning;
}

/** The findings about panels: the values, the advice, then the changes in the file. */
export function roofWords(result: MeasuredRoof): Paragraph[] {
  const isGood = !Object.values(result.panels).includes("notEnough") && !hasMorePlanes(result);
  const meaning = wrongPanels(result).length > 0 ? "warning" : isGood ? "good" : "strong";
  const changes = changesWords(result).map((one): Paragraph => ({ sentences: [one], meaning: "warning" }));
  return [
    { name: result.name, sentences: [resultWords(result)], meaning: "strong" },
    { sentences: adviceWords(result), meaning },
    ...changes,
  ];
}

/**
 * The first line of a result: `declared 202.5° (SSW), measured 158° ± 9° (SSE), 41 clear days; tilt 35°, measured …`.
 */
function resultWords(result: MeasuredRoof): string {
  const { clearDays, declared, measured, planes } = result;
  const days = counted(clearDays, "clear day");
  const own = (setting: PanelSetting, word = settingInWords(setting)) =>
    declared[setting] === undefined ? `${word} not declared` : `${word} ${valueInWords(setting, declared[setting])}`;
  const ofPlanes = declared.planes ? `declared ${planesWords(declared.planes)}` : undefined;
  const azimuth = declared.azimuth === undefined ? own("azimuth") : own("azimuth", ofPlanes ? "as one" : "declared");
  if (planes) return `${ofPlanes ?? `${azimuth}, ${own("tilt")}`}; measured ${planesWords(planes)}, ${days}`;
  if (!measured) return `${ofPlanes ?? azimuth}, not enough to measure: ${reasonWords(result)}`;
  // Only an azimuth can be absent.
  const isFlat = (measured.tilt?.value ?? 0) <= NEARLY_FLAT;
  const why = isFlat ? "the roof is nearly flat, so it hardly matters" : "it is too uncertain";
  const of = (setting: PanelSetting) => {
    const one = measured[setting];
    return one ? `measured ${measuredWords(setting, one)}` : `no measured value: ${why}`;
  };
  return [
    ...(ofPlanes ? [ofPlanes] : []),
    `${azimuth}, ${of("azimuth")}, ${days}`,
    `${own("tilt")}, ${of("tilt")}`,
    `${own("peakPower", "peak")}, ${of("peakPower")}`,
  ].join("; ");
}

/** `2 planes: 4 kW at 90° (E), tilt 30° and 5 kW at 270° (W), tilt 30°`. */
function planesWords(planes: readonly Panels[]): string {
  return `${counted(planes.length, "plane")}: ${planes.map(planeWords).join(" and ")}`;
}

/** `4 kW at 90° (E), tilt 30°`. */
function planeWords(plane: Panels): string {
  return `${valueInWords("peakPower", rounded(plane.peakPower))} ${panelWords(plane)}`;
}

/**
 * The measured values beside the declared ones: `azimuth 202.5° (SSW), measured 158° ± 9° (SSE)`.
 * @param declared the values that are declared now @param isAll also show values that agree
 */
export function besideRoof(
  result: MeasuredRoof,
  declared: Readonly<Record<string, unknown>>,
  { isAll }: { readonly isAll: boolean },
): string[] {
  const { measured, planes } = result;
  if (planes)
    return isAll || hasMorePlanes(result) || wrongPanels(result).length > 0 ? [`measured ${planesWords(planes)}`] : [];
  if (!measured) return isAll ? [`not enough to measure: ${reasonWords(result)}`] : [];
  return PANEL_SETTINGS.flatMap((setting) => {
    const one = measured[setting];
    const now = declared[setting] ?? result.declared[setting];
    if (!one || typeof now !== "number" || !(isAll || isPanelOff(setting, now, result))) return [];
    const withRest = setting === "tilt" && result.tiltWithRest;
    const words = withRest
      ? `${measuredWords(setting, withRest)} with the other declared values`
      : measuredWords(setting, one);
    return [`${settingInWords(setting)} ${valueInWords(setting, now)}, measured ${words}`];
  });
}

/** Whether a value differs from a measurement. If it has changed since then, the verdict in the file does not count. */
function isPanelOff(setting: PanelSetting, now: number, { declared, panels, measured }: MeasuredRoof): boolean {
  const one = measured?.[setting];
  return !one || now === declared[setting] ? panels[setting] === "differs" : verdictOn(setting, now, one) === "differs";
}

function verdictOn(setting: PanelSetting, now: number, { value, uncertainty }: Measurement) {
  const deviation = uncertainty / 2 / (setting === "peakPower" ? value : 1);
  return panelVerdict(setting, now, { value, deviation });
}

/**
 * The change of a setting, compared with the measurement: `azimuth SSE → SSW (158° → 202.5°) moves away from
 * the measured 158° ± 9° (SSE)`.
 */
export function panelMoveOf(setting: string, from: unknown, to: unknown, result: MeasuredRoof): Move | undefined {
  const known = PANEL_SETTINGS.find((one) => one === setting);
  const one = known && (result.measured?.[known] ?? asOne(known, result));
  if (!known || !one || typeof from !== "number" || typeof to !== "number") return undefined;
  const off = (value: number) => Math.abs(known === "azimuth" ? turn(one.value, value) : value - one.value);
  const words = (verb: string) =>
    `${settingInWords(known)} ${changeInWords(known, from, to)} moves ${verb} the measured ${measuredWords(known, one)}`;
  if (off(to) > off(from) && off(to) > one.uncertainty) return { isAway: true, words: words("away from") };
  return off(from) > one.uncertainty && off(to) <= one.uncertainty ? { isAway: false, words: words("to") } : undefined;
}

/** The measurement of several planes as one. A level plane has no azimuth. */
function asOne(setting: PanelSetting, { folded }: MeasuredRoof): Measurement | undefined {
  if (!folded || (setting === "azimuth" && folded.tilt <= FOLD_UNCERTAINTY.tilt)) return undefined;
  const value = folded[setting];
  return { value, uncertainty: FOLD_UNCERTAINTY[setting] * (setting === "peakPower" ? value : 1) };
}

/** The advice for a result: sentences, the most important first. */
export function adviceWords(result: MeasuredRoof): string[] {
  const { panels, mistake, clock, declared, measured, tiltWithRest, folded } = result;
  const of = (verdict: string) => PANEL_SETTINGS.filter((setting) => panels[setting] === verdict).map(settingInWords);
  const [names, right, unclear] = [of("differs"), of("agrees"), of("notEnough")];
  // A value that differs can be uncertain, too.
  const uncertain = PANEL_SETTINGS.filter((setting) => {
    const one = measured?.[setting];
    return (one ? verdictOn(setting, one.value, one) : panels[setting]) === "notEnough";
  }).map(settingInWords);
  const plural = (all: readonly string[], verb: string) => `${listed(all)} ${verb}${all.length > 1 ? "" : "s"}`;
  const planes =
    folded && !declared.planes
      ? [`Declare the measured planes as planes; one is sent in their place: ${planeWords(folded)}.`]
      : [];
  if (!measured && !result.planes) return [];
  // The uncertainty comes first: the other sentences depend on it. More days do not make one plane of several.
  const clocks = "give --longitude, and --time-zone and --label if they are not right, or ";
  const unsure =
    uncertain.length > 0 && !hasMorePlanes(result)
      ? [
          `The ± of the ${listed(uncertain)} is wide: ${uncertain.includes("azimuth") ? clocks : ""}export more clear days.`,
        ]
      : [];
  const late = clock?.minutesLate ?? 0;
  const either = clock
    ? [
        `The ${listed(unclear)} ${unclear.length > 1 ? "are" : "is"} wrong, or the times are ${Math.abs(late)} minutes ${late > 0 ? "late" : "early"}, or --longitude is ` +
          `${Math.round(Math.abs(late) / 4)}° too far ${late > 0 ? "east" : "west"}: check the last two first.`,
      ]
    : [];
  if (names.length === 0 && unsure.length + either.length > 0)
    return [...(right.length > 0 ? [`The declared ${plural(right, "agree")}.`] : []), ...either, ...unsure, ...planes];
  if (names.length === 0) return right.length > 0 && !hasMorePlanes(result) ? ["The declared roof agrees."] : planes;
  return [
    ...unsure,
    `The ${plural(names, "differ")}.`,
    ...planes,
    ...(tiltWithRest ? [`With the other declared values, the tilt is ${measuredWords("tilt", tiltWithRest)}.`] : []),
    ...either,
    ...(mistake ? [mistakeWords(mistake, result)] : []),
  ];
}

/** The changes of the file's clock and of the peak power, each as a sentence. */
function changesWords({ clockJumps = [], trend: { change } = { months: [] } }: MeasuredRoof): string[] {
  return [
    ...clockJumps.map(
      ({ since, minutesLate }) =>
        `Since ${since}, the times of the file are an hour ${minutesLate > 0 ? "late" : "early"}, as if the clock had changed for ` +
        "daylight saving. The azimuth is less certain. To correct this, give --time-zone with the zone of the clock, or " +
        "export the days before and after one by one.",
    ),
    ...(change
      ? [
          `Since ${change.since}, the peak power is ${percent(change.share.value)} % ± ${percent(change.share.uncertainty)} % ` +
            `${change.share.value < 0 ? "lower" : "higher"} than before: ${powerWords(change.before)} → ${powerWords(change.after)}.`,
        ]
      : []),
  ];
}

export function powerWords(watts: number): string {
  return valueInWords("peakPower", Number(watts.toPrecision(3)));
}

export function percent(share: number): number {
  return Math.round(100 * Math.abs(share));
}

function mistakeWords(mistake: Mistake, { declared: { azimuth = 0 } }: MeasuredRoof): string {
  const fitting = bearing(mistake === "azimuthFromSouth" ? azimuth + 180 : 360 - azimuth);
  return MISTAKE_WORDS[mistake].replace("{fitting}", fitting);
}

/** The words for each mistake. `{fitting}` is the azimuth that fits. */
const MISTAKE_WORDS: Readonly<Record<Mistake, string>> = {
  azimuthFromSouth: "An azimuth of {fitting} fits: the declared one is probably counted from south, not from north.",
  eastWestSwapped: "An azimuth of {fitting} fits: east and west are probably swapped.",
  quarterTurn: "The declared azimuth fits if turned by 90°: it is probably counted from east or west, not from north.",
  tiltInRadians: "The declared tilt is probably in radians: declare it in degrees.",
  peakInKilowatts:
    'The declared peak power is probably in kW without a unit: a number means W. Write it with its unit, such as "9.8 kWp".',
  unitOfFile:
    "The measured peak power and the declared one are probably in different units: check --unit first, then the unit of the declared one.",
  halfThePanels:
    "The measured peak power is half of the declared one: check first that --column has all panels. If it has, half of them deliver nothing, or the declared one is the sum of two inverters.",
};

/** `at 90° (E), tilt 30°`; `level` without a tilt. */
function panelWords({ azimuth, tilt }: Pick<Panels, "azimuth" | "tilt">): string {
  return tilt < 3 ? "level" : `at ${bearing(azimuth)}, tilt ${Math.round(tilt)}°`;
}

function bearing(degrees: number): string {
  const whole = ((degrees % 360) + 360) % 360;
  return `${Math.round(whole * 10) / 10}° (${pointOf(whole)})`;
}

/** Rounds to two digits, because the measurement is not more precise. */
function rounded(watts: number): number {
  return Number(watts.toPrecision(2));
}
