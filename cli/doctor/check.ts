/** What was found about one thing: it is as it should be, it is not, or there is nothing to find. */
export interface Check {
  /** What was looked at, in a word or two. */
  readonly name: string;
  readonly outcome: "ok" | "failed" | "skipped";
  readonly finding: string;
  /** What to do next. */
  readonly advice?: string;
}

export const ok = (name: string, finding: string): Check => ({ name, outcome: "ok", finding });

export const failed = (name: string, finding: string, advice: string): Check => ({
  name,
  outcome: "failed",
  finding,
  advice,
});

/** @param advice what to do to have it looked at, or about what is no fault */
export const skipped = (name: string, finding: string, advice?: string): Check => ({
  name,
  outcome: "skipped",
  finding,
  ...(advice !== undefined && { advice }),
});

const SIGNS = { ok: "✓", failed: "✗", skipped: "–" };

/** A check as a person reads it. */
export function lineOf({ name, outcome, finding, advice }: Check): string {
  return `${SIGNS[outcome]} ${name}: ${finding}${advice ? `\n    ${advice}` : ""}`;
}
