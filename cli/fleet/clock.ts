import { setTimeout } from "node:timers/promises";

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
