import { InvalidArgumentError } from "commander";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A moment: `7d` is seven days before now, and so for m, h and w; else a date, perhaps with a time. It is in UTC if it
 * does not say.
 */
export function parseSince(text: string, now: number): Date {
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (UNITS[unit] as number));
  const [given, zone] = DATE.exec(text) ?? [];
  const date = new Date(given === undefined ? Number.NaN : given.includes("T") && !zone ? `${given}Z` : given);
  if (Number.isNaN(date.getTime()) || !isDay(text.slice(0, 10))) {
    throw new InvalidArgumentError(
      "Give a date such as 2026-11-21 or 2026-11-21T14:00Z, or an age such as 90m, 12h, 7d or 2w.",
    );
  }
  return date;
}

/** Whether a month has this day: Node takes 30 February for 2 March. */
function isDay(text: string): boolean {
  return new Date(text).toISOString().startsWith(text);
}
