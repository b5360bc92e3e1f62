import { changeInWords, valueInWords } from "../../provider/lifecycle/run/valueWords";
import { vehicle } from "../../provider/settings/vehicle";
import type { SunDay } from "../../sky/days";
import { settingInWords } from "../settingWords";
import { type RoofChange, SHOWN_DAY, type SunChange } from "./change";

/**
 * The effect of a change on one roof: `azimuth SSW → NNE (202.5° → 22.5°): 56 → 14 kWh on a clear day in March; its
 * peak moves from 12:50 to 09:30 solar time`.
 */
export function roofWords({ settings, before, after, year }: RoofChange): string {
  const changes = settings.map(
    ({ setting, from, to }) => `${settingInWords(setting)} ${changeInWords(setting, from, to)}`,
  );
  const [then, now] = [before[SHOWN_DAY] as SunDay, after[SHOWN_DAY] as SunDay];
  const energy = `${energyWords(then.roofKilowattHours, now.roofKilowattHours)} on a clear day in ${monthOf(now)}`;
  const share = shareWords(year.before > 0 ? year.after / year.before - 1 : 0);
  return `${changes.join(", ")}: ${energy}${share && `, ${share} of the year`}${peakWords(then.peakAt, now.peakAt)}`;
}

/**
 * The energy that is left for the cars: `51 → 10 kWh for the cars on a clear day in March, 9100 → 2300 kWh in a year
 * of clear days`; or the reason why there is none.
 * @param nameOf formats the name of a car
 */
export function carWords(
  { before, after, yearBefore, yearAfter, byPrice, assumed, corrected }: SunChange,
  nameOf: (name: string) => string,
): string {
  const [then, now] = [before?.[SHOWN_DAY], after[SHOWN_DAY] as SunDay];
  const energy = `${energyWords(then?.kilowattHours, now.kilowattHours)} for the cars on a clear day in ${monthOf(now)}`;
  const reason =
    byPrice === undefined
      ? []
      : [byPrice === "off" ? "they charge by price: solar is false" : "they charge by price: the site is not ready"];
  const year = `${yearWords(yearBefore?.kilowattHours, yearAfter.kilowattHours)} in a year of clear days`;
  const unknown =
    assumed.length > 0 && !byPrice
      ? [
          `the service assumes ${valueInWords("maxCapacity", vehicle.settings.maxCapacity?.default)} for ${assumed.map(nameOf).join(", ")}`,
        ]
      : [];
  const never = corrected.map(
    ({ name, from, to }) =>
      `${nameOf(name)} could never take ${valueInWords("maxChargePower", from)}, so ${valueInWords("maxChargePower", to)} is not a loss`,
  );
  return [...(byPrice ? [energy] : [`${energy}, ${year}`]), ...reason, ...unknown, ...never].join("; ");
}

/** `−86 %`; empty below one percent. */
export function shareWords(share: number | undefined): string {
  const percent = Math.round(100 * (share ?? 0));
  return percent === 0 ? "" : percent < 0 ? `−${-percent} %` : `+${percent} %`;
}

/** `9100 → 2300 kWh`: rounded to hundreds, because an estimate is not more precise. */
function yearWords(before: number | undefined, after: number): string {
  const [then, now] = [before, after].map((one) => one && Math.round(one / 100) * 100);
  return then === undefined || then === now ? `${now} kWh` : `${then} → ${now} kWh`;
}

/** `56 → 14 kWh`; without an earlier value, `14 kWh`. */
export function energyWords(before: number | undefined, after: number): string {
  const [then, now] = [before === undefined ? undefined : rounded(before), rounded(after)];
  return then === undefined || then === now ? `${now} kWh` : `${then} → ${now} kWh`;
}

/** `12:50 → 09:30`; `-` if there is no sun. */
export function peakMove(before: string | undefined, after: string): string {
  const [then, now] = [before === undefined ? undefined : before || "-", after || "-"];
  return then === undefined || then === now ? now : `${then} → ${now}`;
}

/** `20 March`. */
export function dayWords({ date }: Pick<SunDay, "date">): string {
  return `${Number(date.slice(8))} ${monthOf({ date })}`;
}

function monthOf({ date }: Pick<SunDay, "date">): string {
  return new Date(date).toLocaleDateString("en", { month: "long", timeZone: "UTC" });
}

function peakWords(before: string, after: string): string {
  if (before === after) return "";
  if (after === "") return "; it gets no sun";
  return before === ""
    ? `; its peak is at ${after} solar time`
    : `; its peak moves from ${before} to ${after} solar time`;
}

function rounded(kilowattHours: number): string {
  return kilowattHours >= 9.95 ? String(Math.round(kilowattHours)) : String(Math.round(kilowattHours * 10) / 10);
}
