import type { SunDay } from "../../measure/sky/days";
import { listed } from "../../provider/settings/explain";
import { changeInWords, valueInWords } from "../../provider/settings/valueWords";
import { vehicle } from "../../provider/settings/vehicle";
import { settingInWords } from "../words";
import { type RoofChange, SHOWN_DAY, type SunChange } from "./change";

/**
 * The effect of a change on one roof: `azimuth SSW → NNE (202.5° → 22.5°): 56 → 14 kWh on a clear day in March; its
 * peak moves from 12:50 to 09:30 solar time`.
 */
function roofWords({ settings, before, after, year }: RoofChange): string {
  const changes = settings.map(
    ({ setting, from, to }) => `${settingInWords(setting)} ${changeInWords(setting, from, to)}`,
  );
  const [then, now] = [before[SHOWN_DAY] as SunDay, after[SHOWN_DAY] as SunDay];
  const energy = `${energyWords(then.roofKilowattHours, now.roofKilowattHours)} on a clear day in ${monthOf(now)}`;
  const share = shareWords(year);
  return `${changes.join(", ")}: ${energy}${share && `, ${share} in a year`}${peakWords(then.peakAt, now.peakAt)}`;
}

/**
 * The sun of a site in words: the change of each roof, the planes that the provider sends, and the energy for the cars.
 * @param code formats a name. @param prose formats a sentence
 */
export function sunWords(change: SunChange, code: (name: string) => string, prose: (text: string) => string): string[] {
  return [
    ...change.roofs.map((roof) => `${code(roof.name)}: ${roofWords(roof)}`),
    ...change.planes.map(({ name, sent }) => `${code(name)}: ${prose(sent)}`),
    carWords(change, code),
  ];
}

/**
 * The energy that is left for the cars: `51 → 10 kWh for the cars on a clear day in March, −75 % in a year`; or the
 * reason why there is none.
 * @param nameOf formats the name of a car
 */
function carWords(
  { before, after, year, byPrice, assumed, corrected }: SunChange,
  nameOf: (name: string) => string,
): string {
  const [then, now] = [before?.[SHOWN_DAY], after[SHOWN_DAY] as SunDay];
  const energy = `${energyWords(then?.kilowattHours, now.kilowattHours)} for the cars on a clear day in ${monthOf(now)}`;
  const reason =
    byPrice === undefined
      ? []
      : [byPrice === "off" ? "they charge by price: solar is false" : "they charge by price: the site is not ready"];
  const share = shareWords(year?.cars);
  const unknown =
    assumed.length > 0 && !byPrice
      ? [
          `the estimate counts ${valueInWords("maxCapacity", vehicle.settings.maxCapacity?.default)} for ${listed(assumed.map(nameOf))}`,
        ]
      : [];
  const never = corrected.map(
    ({ name, from, to }) =>
      `${nameOf(name)} could never take ${valueInWords("maxChargePower", from)}, so ${valueInWords("maxChargePower", to)} is not a loss`,
  );
  return [share ? `${energy}, ${share} in a year` : energy, ...reason, ...unknown, ...never].join("; ");
}

/** `−86 %`; empty below one percent. */
export function shareWords(share: number | undefined): string {
  const percent = Math.round(100 * (share ?? 0));
  return percent === 0 ? "" : percent < 0 ? `−${-percent} %` : `+${percent} %`;
}

/**
 * `56 → 14 kWh`; without an earlier value, `14 kWh`. Values that differ by a percent get enough digits to show it.
 * Without this, they would not fit the percent beside them.
 */
export function energyWords(before: number | undefined, after: number): string {
  if (before === undefined) return `${rounded(after)} kWh`;
  const isVisible = Math.abs(after - before) >= 0.01 * before;
  const digits = [0, 1].map((more) => [before, after].map((one) => rounded(one, more)));
  const [then, now] = (digits.find(([one, other]) => one !== other) ?? []) as string[];
  return then === undefined || !isVisible ? `${rounded(after)} kWh` : `${then} → ${now} kWh`;
}

/** `12:50 → 09:30`; `-` if there is no sun. */
export function peakMove(before: string | undefined, after: string): string {
  const now = after || "-";
  return before === undefined || !isMoved(before, after) ? now : `${before || "-"} → ${now}`;
}

/** Shortest move of a peak that is shown, in minutes (our choice): the peak of a flat curve is not more certain. */
const LEAST_MOVE = 15;

function isMoved(before: string, after: string): boolean {
  if (before === "" || after === "") return before !== after;
  const [then = 0, now = 0] = [before, after].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return Math.abs(now - then) >= LEAST_MOVE;
}

/** `20 March`. */
export function dayWords({ date }: Pick<SunDay, "date">): string {
  return `${Number(date.slice(8))} ${monthOf({ date })}`;
}

function monthOf({ date }: Pick<SunDay, "date">): string {
  return new Date(date).toLocaleDateString("en", { month: "long", timeZone: "UTC" });
}

function peakWords(before: string, after: string): string {
  if (!isMoved(before, after)) return "";
  if (after === "") return "; it gets no sun";
  return before === ""
    ? `; its peak is at ${after} solar time`
    : `; its peak moves from ${before} to ${after} solar time`;
}

/** `56`, `9.5`, `1,234`. @param more digits after the point */
function rounded(kilowattHours: number, more = 0): string {
  const maximumFractionDigits = (kilowattHours >= 9.95 ? 0 : 1) + more;
  return kilowattHours.toLocaleString("en", { maximumFractionDigits });
}
