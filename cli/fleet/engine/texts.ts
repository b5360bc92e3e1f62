import type { Message } from "../../../provider/messages/message";

/**
 * The readings of the engine's texts, for which it has no codes. Nothing else of the command line reads a text that is
 * meant for people.
 */

/** Whether a text says that the state could not be written, as on a full disk. */
export function isUnsaved(text: string): boolean {
  return text.includes("failed to save snapshot");
}

/**
 * Whether a text says that another run holds the stack, in a backend of your own; the Automation API knows the other
 * ones.
 */
export function isHeld(text: string): boolean {
  return text.includes("the stack is currently locked by");
}

/** Whether the Automation API has found no engine. */
export function isNoEngine(text: string): boolean {
  return text.includes("pulumi ENOENT");
}

/** Who holds a stack. */
export interface Holder {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
}

/** Who holds the stack that a text is about; undefined if it does not say it, as Pulumi Cloud's. */
export function holderIn(text: string): Holder | undefined {
  const [, user, host = "", pid, since = ""] = /created by (\S+)@(\S+) \(pid (\d+)\) at (\S+)/.exec(text) ?? [];
  return user === undefined ? undefined : { user, host, pid: Number(pid), since };
}

/**
 * Whether an error only follows from that of a device: the end of the update, a program that waits for the device's
 * outputs.
 */
export function isConsequence(text: string): boolean {
  return /^(update|preview|refresh|destroy) failed$|^resource .*failed|resource .* failed to register$/.test(text);
}

/** A message without the engine's colour tags, which look like `<{%reset%}>`. */
export function plain(message: string): string {
  return message.replace(/<\{%.*?%\}>/g, "").trim();
}

/**
 * What the Automation API says of a command that failed, without all else that it printed: errors, and the lists in
 * them.
 */
export function inShort(message: string): string {
  const lines = message.split("\n").filter((line) => /error:|canceled|^ +\d+\) /.test(line));
  return lines.length > 0 ? [...new Set(lines.map((line) => line.trim()))].join("; ") : message;
}

/** That there is no engine. */
export function noEngine(): Message {
  const advice = "https://www.pulumi.com/docs/install shows how to install it";
  return { code: "noEngine", finding: "there is no pulumi on the PATH", advice };
}

/** An error of the engine as a problem: the same for all that meet the same, so without names of temporary files. */
export function problemOfEngine(text: string): Message {
  const finding = text.replace(/^(pre|post)-step event returned an error: /, "").replace(/\.[0-9a-f]{16}\.tmp\b/g, "");
  return { code: "engine", finding };
}
