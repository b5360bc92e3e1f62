import { changeInWords, settingInWords } from "../settingWords";
import type { RoofChange, SunChange } from "./change";
import type { SunDay } from "./site";

/**
 * What a change does to one roof: `azimuth 202.5° → 22.5°: 56 → 14 kWh on a clear day in March; its peak moves from 12:50
 * to 09:30 solar time`.
 */
export function roofWords({ settings, before, after }: RoofChange, day: number): string {
  const changes = settings.map(
    ({ setting, from, to }) => `${settingInWords(setting)} ${changeInWords(setting, from, to)}`,
  );
  const [then, now] = [before[day] as SunDay, after[day] as SunDay];
  const energy = `${energyWords(then.roofKilowattHours, now.roofKilowattHours)} on a clear day in ${monthOf(now)}`;
  return `${changes.join(", ")}: ${energy}${peakWords(then.peakAt, now.peakAt)}`;
}

/** What is left for the cars: `cars: 51 → 10 kWh on a clear day in March`. */
export function carWords({ before, after, shownDay }: SunChange): string {
  const [then, now] = [before?.[shownDay], after[shownDay] as SunDay];
  return `${energyWords(then?.kilowattHours, now.kilowattHours)} for the cars on a clear day in ${monthOf(now)}`;
}

/** `56 → 14 kWh`; without an earlier one, `14 kWh`. */
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

const MONTH = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });

function monthOf({ date }: Pick<SunDay, "date">): string {
  return MONTH.format(new Date(date));
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
