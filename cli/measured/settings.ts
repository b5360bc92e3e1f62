import {
  type MeasuredDevice,
  type MeasuredRoof,
  type MeasuredSetting,
  SINGLE_SETTINGS,
  type SingleSetting,
} from "../../measure/results/model";
import { JUDGES, type SettingMistake } from "../../measure/sky/declared";
import type { Measurement } from "../../measure/sky/numbers";
import { changeInWords, valueInWords } from "../../provider/settings/valueWords";
import { vehicle } from "../../provider/settings/vehicle";
import { counted, settingInWords } from "../words";

/**
 * Whether a value differs from a measurement. The declared value may have changed since the measurement, so the verdict
 * in the file does not count.
 */
export function isOff(setting: SingleSetting, declared: number, result: MeasuredSetting): boolean {
  const { measured, atLeast, atMost, from = "charger", drawn, others = 0, several } = result;
  if (several) return false;
  const { value = 0, uncertainty = 0 } = measured ?? {};
  const isHouse = setting === "baseLoad" || setting === "cutInThreshold";
  const found = measured
    ? ({ kind: "measured", value, deviation: uncertainty / 2 / (isHouse ? 1 : value), from, drawn } as const)
    : ({ kind: "notEnough", atLeast, atMost } as const);
  return JUDGES[setting](declared + others, found).differs;
}

/** The words for each measured setting of a device, and the likely mistakes. */
export function settingsWords({ settings = {} }: MeasuredDevice): {
  readonly values: string;
  readonly advice: string[];
} {
  const found = SINGLE_SETTINGS.flatMap((key) => (settings[key] ? [[key, settings[key]] as const] : []));
  return {
    values: found.map(([key, result]) => longWords(key, result)).join("; "),
    advice: found.flatMap(([key, result]) => adviceOf(key, result)),
  };
}

/** `capacity declared 82 kWh, measured 75.1 ± 2.1 kWh usable (38 sessions; 81.9 kWh at the charger)`. */
function longWords(setting: SingleSetting, result: MeasuredSetting): string {
  const { declared, measured, several, others } = result;
  const inWords = (value: number) => valueInWords(setting, rounded(setting, value));
  const sum = declared !== undefined && others ? ` (${inWords(declared + others)} with the other inverters)` : "";
  const start = `${settingInWords(setting)} ${declared === undefined ? "not declared" : `declared ${valueInWords(setting, declared)}${sum}`}`;
  if (several) return `${start}, sessions of two cars: ${several.map(inWords).join(" and ")}`;
  if (!measured) {
    const limit = foundWords(setting, result);
    return `${start}, not enough to measure: ${reasonWords(result)}${limit === undefined ? "" : `; ${limit}`}`;
  }
  const notes = NOTES[setting](result, inWords);
  const usable = setting === "maxCapacity" ? " usable" : "";
  return `${start}, measured ${shortWords(setting, measured)}${usable} (${notes.join("; ")})`;
}

type InWords = (value: number) => string;

const NOTES: Readonly<Record<SingleSetting, (result: MeasuredSetting, inWords: InWords) => string[]>> = {
  maxCapacity: ({ sessions = 0, from, drawn }, inWords) => [
    `${counted(sessions, "session")}${from === "charger" ? ", from the energy at the charger" : ""}`,
    ...(drawn === undefined ? [] : [`${inWords(drawn)} at the charger`]),
  ],
  maxChargePower: ({ sessions = 0, phases, amps }) => [
    counted(sessions, "session"),
    ...(phases ? [`about ${phases} × ${amps} A`] : []),
  ],
  baseLoad: ({ days = 0, changedSince, daytime, winter }, inWords) => [
    counted(days, "day"),
    ...(changedSince === undefined ? [] : [`since ${changedSince}, when it changed`]),
    ...(daytime === undefined ? [] : [`${inWords(daytime)} on average by day`]),
    ...(winter === undefined ? [] : [`${inWords(winter)} in winter`]),
  ],
  cutInThreshold: ({ mornings = 0 }) => [counted(mornings, "morning")],
};

/** `75.1 ± 2.1 kWh`. */
function shortWords(setting: SingleSetting, { value, uncertainty }: Measurement): string {
  const isKilo = value >= 1000;
  const number = (one: number) => Number((isKilo ? one / 1000 : one).toFixed(isKilo ? 1 : 0));
  const unit = `${isKilo ? "k" : ""}${setting === "maxCapacity" ? "Wh" : "W"}`;
  return `${number(value)} ± ${number(uncertainty)} ${unit}`;
}

/** A declared value beside the measured one: `capacity 82 kWh, measured 75.1 ± 2.1 kWh: it differs`. */
interface Beside {
  readonly words: string;
  readonly differs: boolean;
}

/** The declared values beside the measured ones. @param isAll also those that agree */
export function besideSettings(
  { settings = {} }: MeasuredDevice,
  declared: Readonly<Record<string, unknown>>,
  { isAll }: { readonly isAll: boolean },
): Beside[] {
  return SINGLE_SETTINGS.flatMap((setting) => {
    const result = settings[setting];
    const own = declared[setting];
    if (!result) return [];
    const differs = typeof own === "number" && isOff(setting, own, result);
    if (!isAll && !differs) return [];
    const found = foundWords(setting, result);
    if (found === undefined) return [];
    const value = own === undefined ? "not declared" : valueInWords(setting, own);
    return [{ words: `${settingInWords(setting)} ${value}, ${found}${differs ? ": it differs" : ""}`, differs }];
  });
}

/** `measured 75.1 ± 2.1 kWh`, or its limit; undefined if nothing is known. */
function foundWords(setting: SingleSetting, { measured, atLeast, atMost }: MeasuredSetting): string | undefined {
  if (measured) return `measured ${shortWords(setting, measured)}`;
  const inWords = (value: number) => valueInWords(setting, rounded(setting, value));
  if (atLeast !== undefined) return `measured at least ${inWords(atLeast)}`;
  return atMost === undefined ? undefined : `measured at most ${inWords(atMost)}`;
}

/** A change of a value, compared with the measurement. */
export interface Move {
  /** True if it leaves the measured value; false if it arrives there. */
  readonly isAway: boolean;
  readonly words: string;
}

/**
 * The change of a setting, compared with the measurement: `capacity 75 → 82 kWh moves away from the measured 75.1 ± 2.1
 * kWh`. Undefined if it does neither that nor the reverse.
 */
export function moveOf(setting: SingleSetting, from: unknown, to: unknown, result: MeasuredSetting): Move | undefined {
  const found = foundWords(setting, result);
  if (typeof to !== "number" || found === undefined) return undefined;
  const [before, after] = [from, to].map((value) => typeof value === "number" && isOff(setting, value, result));
  const { value = result.atLeast ?? result.atMost ?? to } = result.measured ?? {};
  const distance = (one: number) => Math.abs(one - value);
  const isFurther = typeof from !== "number" || distance(to) > distance(from);
  const change = `${settingInWords(setting)} ${changeInWords(setting, from, to)}`;
  if (after && (!before || isFurther)) return { isAway: true, words: `${change} moves away from the ${found}` };
  return before && !after ? { isAway: false, words: `${change} moves to the ${found}` } : undefined;
}

function adviceOf(setting: SingleSetting, result: MeasuredSetting): string[] {
  const { verdict, mistake, measured, reason } = result;
  const name = settingInWords(setting);
  if (verdict === "severalCars") return ["Export the sessions of one car, or with the names of the cars."];
  // The value that the service assumes for a car that reports nothing.
  const usual = vehicle.settings[setting]?.default;
  if (verdict === "notDeclared" && measured && typeof usual === "number" && isOff(setting, usual, result))
    return [
      `Declare the ${name}: without one, the service takes ${valueInWords(setting, usual)} if the car reports none.`,
    ];
  const unsure = reason === "tooUncertain" ? [`The measured ${name} is ${reasonWords(result)}.`] : [];
  // Without this, a value that agrees would look like one that was not compared.
  if (verdict !== "differs" && verdict !== "agrees") return unsure;
  return [...unsure, `The declared ${name} ${mistake ? MISTAKES[mistake] : verdict}.`];
}

/** Rounds a value as far as its uncertainty allows. */
function rounded(setting: SingleSetting, value: number): number {
  const step = setting in vehicle.settings ? 100 : 1;
  return step * Math.round(value / step);
}

/** The reasons, with their counts: `read` in the file, and `kept`, which can be used. */
const REASONS: Readonly<Record<NonNullable<(MeasuredSetting | MeasuredRoof)["reason"]>, string>> = {
  noStateOfCharge:
    "none of {read} sessions has a state of charge at its start and end: export from a system that knows it",
  fewSessions: "{read} of 5 sessions that are needed: export more days",
  unusableSessions:
    "{kept} of {read} sessions can be used, and 5 are needed. A capacity needs sessions with an energy and a rise of the charge by 8 % or more, together 150 %. A charge power needs sessions at home with at least 20 minutes and 2 kWh that end below 99 %",
  plugTimes:
    "{kept} of {read} sessions have hours of charging, the others only times of the plug: export from another system",
  onlySurplus:
    "only {kept} of {read} sessions charge with the car's full power: the others follow the surplus of the sun",
  variesTooMuch:
    "{kept} of {read} sessions were compared, and differ too much: check that they are of one car, and that their hours are those of charging, not of the plug",
  fewDays: "{read} of 14 days that are needed: export more days",
  daysWithGaps:
    "{kept} of {read} days are whole, and 14 are needed: a day needs 18 hours, or the night from 23 to 4:30 if only that shows the load",
  daysAtZero:
    "{kept} of {read} days remain without those that are 0 for more than 2 hours, and 14 are needed. If the sun supplies the house then, give --solar; otherwise export days without gaps",
  battery: "the import shows no load by night if a battery supplies the house: export the load",
  batteryAtNight:
    "the import is 15 W or more in only {kept} of {read} steps at night, so a battery may supply the house: export the load",
  onlyWinter:
    "{kept} of {read} days are from March to October (in the south, if a latitude is given, September to April), and 14 are needed: the others may include heating",
  coarseSteps: "the steps have {read} minutes: export steps of {kept} minutes or less",
  fewMornings:
    "{kept} mornings in {read} days can be used, and 10 are needed: 2 hours without output, then a rise without a gap",
  noPower: "fewer than 100 steps have power: export days with sun",
  powerAtNight:
    "only {kept} of {read} steps at night have less than a tenth of the highest power, so this is not production: give another --column",
  fewClearDays:
    "{kept} of {read} days have 3 hours of clear sky; 7 are needed (10 for two planes), with 40 clear steps: export more days",
  hourAboveRoof:
    "the best hour is above the peak power that {kept} clear days show, as if panels were added later: export the days since then",
  roofVaries: "the roofs of {kept} clear days differ too much: export days of another season",
  tooUncertain: "uncertain: export more",
};

export function reasonWords({
  reason = "fewDays",
  read,
  kept,
}: Pick<MeasuredSetting | MeasuredRoof, "reason" | "read" | "kept">): string {
  return REASONS[reason].replace("{read}", String(read)).replace("{kept}", String(kept));
}

const MISTAKES: Readonly<Record<SettingMistake, string>> = {
  kilowattHours: "is in kWh: Wh are expected",
  kilowatts: "is in kW: W are expected",
  grossOrNew: "is the gross one, or that of the new battery",
  otherCar: "is that of another car in the file",
  fastCharging: "is that of a fast charger: at home, the car takes less",
  phases: "counts another number of phases",
  current: "is twice or half the measured one: another current, another number of phases, or a limit of the charger",
  tooSmall: "is too small: the car has charged more than that",
  average: "is the mean of all hours: only what is always on counts",
  includesCar: "is the mean of all hours, with the car: only what is always on counts",
  perDay: "is the energy of a day: a power is expected",
  energyPerStep: "is four times the measured one, or a quarter of it: check --unit first, then whether it is an energy",
  unitOfFile: "is a thousand times the measured one, or a thousandth of it: check --unit first, then its own unit",
  tooLarge: "is too large",
};
