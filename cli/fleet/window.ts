import { setTimeout } from "node:timers/promises";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const DAY_MINUTES = 24 * 60;
const MINUTE = 60_000;

/** `Mon-Fri 09:00-16:00 Europe/Berlin`: optional days, times and a time zone. */
const FORM =
  /^(?:((?:[A-Z][a-z]{2}(?:-[A-Z][a-z]{2})?)(?:,[A-Z][a-z]{2}(?:-[A-Z][a-z]{2})?)*) )?([012]\d):([0-5]\d)-([012]\d):([0-5]\d) (\S+)$/;

interface WindowHours {
  readonly days: ReadonlySet<string>;
  /** In minutes of the day. An end before the start means the next day. */
  readonly from: number;
  readonly to: number;
}

/** The times of a week at which a rollout may start sites. */
export class RolloutWindow {
  readonly #format: Intl.DateTimeFormat;

  private constructor(
    readonly text: string,
    private readonly hours: WindowHours,
    timeZone: string,
  ) {
    const options = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
    this.#format = new Intl.DateTimeFormat("en", options);
  }

  /** @throws Error if the text is not a window, or the time zone is not known */
  static of(text: string): RolloutWindow {
    const [, days, fromHour, fromMinute, toHour, toMinute, zone = ""] = FORM.exec(text) ?? [];
    const at = (hour: string | undefined, minute: string | undefined) => Number(hour) * 60 + Number(minute);
    const [from, to] = [at(fromHour, fromMinute), at(toHour, toMinute)];
    const set = days === undefined ? new Set(DAYS) : daysIn(days);
    const isRight = set && from !== to && from < DAY_MINUTES && to <= DAY_MINUTES;
    if (!isRight) throw new Error("this is not a window");
    return new RolloutWindow(text, { days: set, from, to }, zone);
  }

  isOpen(date: Date): boolean {
    const parts = Object.fromEntries(this.#format.formatToParts(date).map(({ type, value }) => [type, value]));
    const day = DAYS.indexOf(parts.weekday ?? "");
    const minute = Number(parts.hour) * 60 + Number(parts.minute);
    const { from, to, days } = this.hours;
    const hasBegunOn = (index: number) => days.has(DAYS[(index + 7) % 7] ?? "");
    if (from < to) return hasBegunOn(day) && minute >= from && minute < to;
    return (hasBegunOn(day) && minute >= from) || (hasBegunOn(day - 1) && minute < to);
  }

  /**
   * The time at which it closes next; undefined if it is closed, or never closes. Searches minute by minute, because the
   * clock of a time zone can jump.
   */
  closesAt(date: Date): Date | undefined {
    const start = Math.floor(date.getTime() / MINUTE);
    for (let minute = 1; this.isOpen(date) && minute <= 8 * DAY_MINUTES; minute++) {
      const next = new Date((start + minute) * MINUTE);
      if (!this.isOpen(next)) return next;
    }
    return undefined;
  }
}

/** The days in `Mon-Fri,Sun`; undefined if one of them is not a day. */
function daysIn(text: string): ReadonlySet<string> | undefined {
  const days = text.split(",").flatMap((part) => {
    const [first = "", last = first] = part.split("-");
    const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
    if (from < 0 || to < 0) return [undefined];
    return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => DAYS[(from + index) % 7]);
  });
  return days.includes(undefined) ? undefined : new Set(days as string[]);
}

/** The current time, and a wait until a later one. */
export interface Clock {
  now(): Date;
  /** Resolves at a time, or when the signal is aborted. It never rejects. */
  until(date: Date, signal: AbortSignal): Promise<void>;
}

/** Longest timer of Node, in milliseconds: a longer one would end immediately. */
const LONGEST_WAIT = 2 ** 31 - 1;

export const CLOCK: Clock = {
  now: () => new Date(),
  async until(date, signal) {
    for (;;) {
      const left = date.getTime() - Date.now();
      if (left <= 0 || signal.aborted) return;
      await setTimeout(Math.min(left, LONGEST_WAIT), undefined, { signal }).catch(() => {});
    }
  },
};
