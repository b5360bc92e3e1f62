import { type Audience, type Message, wordsOf } from "../../provider/messages/message";
import { defined } from "../../provider/settings/objects";

/** The result of one check: ok, failed, or skipped. */
export interface Check {
  /** The subject of the check, in a word or two. */
  readonly name: string;
  readonly outcome: "ok" | "failed" | "skipped";
  readonly finding: string;
  /** The next step for the user. */
  readonly advice?: string;
}

/** @param outcome if skipped, the advice is the way to have it checked, or the meaning of a finding that is no fault */
const checkOf =
  (outcome: Check["outcome"]) =>
  (name: string, finding: string, advice?: string): Check =>
    defined({ name, outcome, finding, advice });

export const ok = checkOf("ok");
export const failed: (name: string, finding: string, advice: string) => Check = checkOf("failed");
export const skipped = checkOf("skipped");

/** A failed check with its advice. @param beside the checks that are still open after this failure */
export function failedBy(name: string, message: Message, audience: Audience, beside?: string): Check {
  const { finding, advice } = wordsOf(message, audience);
  return failed(name, finding, [advice, beside].filter(Boolean).join(". "));
}

const SIGNS = { ok: "✓", failed: "✗", skipped: "–" };

/** A check as a line for people. */
export function lineOf({ name, outcome, finding, advice }: Check): string {
  return `${SIGNS[outcome]} ${name}: ${finding}${advice ? `\n    ${advice}` : ""}`;
}
