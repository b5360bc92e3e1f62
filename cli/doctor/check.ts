import { adviceOf, findingOf, type Message } from "../../provider/messages/message";
import { AT_COMMAND_LINE } from "../audience";
import { defined } from "../defined";

/** The result of one check: ok, failed, or skipped. */
export interface Check {
  /** The subject of the check, in a word or two. */
  readonly name: string;
  readonly outcome: "ok" | "failed" | "skipped";
  readonly finding: string;
  /** The next step for the user. */
  readonly advice?: string;
}

export const ok = (name: string, finding: string): Check => ({ name, outcome: "ok", finding });

export const failed = (name: string, finding: string, advice: string): Check => ({
  name,
  outcome: "failed",
  finding,
  advice,
});

/** @param advice the way to have it checked, or the meaning of a finding that is no fault */
export const skipped = (name: string, finding: string, advice?: string): Check =>
  defined({ name, outcome: "skipped" as const, finding, advice });

/** A failed check with its advice. @param beside the checks that are still open after this failure */
export function failedBy(name: string, message: Message, beside?: string): Check {
  const advice = [adviceOf(message, AT_COMMAND_LINE), beside].filter(Boolean).join(". ");
  return failed(name, findingOf(message, AT_COMMAND_LINE), advice);
}

const SIGNS = { ok: "✓", failed: "✗", skipped: "–" };

/** A check as a line for people. */
export function lineOf({ name, outcome, finding, advice }: Check): string {
  return `${SIGNS[outcome]} ${name}: ${finding}${advice ? `\n    ${advice}` : ""}`;
}
