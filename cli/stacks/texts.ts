import { hostname } from "node:os";
import { isAlive } from "../../provider/ledger/placeOfRun";
import type { Message } from "../../provider/messages/message";
import { quoted } from "../words";

/**
 * Recognizes texts of the engine, which has no codes. No other code of the command line reads texts that are meant
 * for people.
 */

/** Whether a text says that the state could not be written, as on a full disk. */
export function isUnsaved(text: string): boolean {
  return text.includes("failed to save snapshot");
}

/** Whether a text says that a provider died, or the engine's host of programs: state may lack what was sent. */
export function isOfDeath(text: string): boolean {
  return /error reading from server|exited prematurely/.test(text);
}

/** Whether a text says that another run has locked the stack, in a backend of your own or in Pulumi Cloud. */
export function isHeld(text: string): boolean {
  return /the stack is currently locked by|Another update is currently in progress/.test(text);
}

/** Whether a text says that the engine's YAML host is missing. */
export function isNoHost(text: string): boolean {
  return text.includes("language plugin") && text.includes("yaml");
}

/**
 * Whether an error only follows from the error of a device or a stop: the end of the update, or a program that needs the
 * device's outputs.
 */
export function isConsequence(text: string): boolean {
  return (
    /^(update|preview|refresh|destroy) (failed|canceled)$/.test(text) ||
    (text.startsWith("resource ") && text.includes("failed")) ||
    (text.includes("resource ") && text.endsWith(" failed to register"))
  );
}

/** A message without the engine's colour tags, which look like `<{%reset%}>`. */
export function plain(message: string): string {
  return message.replace(/<\{%[^%]*%\}>/g, "").trim();
}

/** The errors in the output of a command, with their lists. */
export function inShort(printed: string): string {
  const lines = printed.split("\n").map((line) => line.trim());
  const errors = lines.filter((line) => /error:|canceled|^\d+\) /.test(line));
  const shown = errors.length > 0 ? errors : lines.filter(Boolean).slice(0, MOST_LINES);
  return [...new Set(shown)].join("; ").replace(/^error: /, "");
}

/** If an output has no error line, at most this many of its lines are shown (our choice). */
const MOST_LINES = 5;

/** The problem of a missing engine. */
export function noEngine(): Message {
  const advice = "Install it: https://www.pulumi.com/docs/install";
  return { code: "noEngine", finding: "there is no pulumi on the PATH", advice };
}

/** The problem of a missing YAML host, as in an incomplete installation. */
export function noHost(): Message {
  const advice = "Install Pulumi's own distribution, which contains it, or put pulumi-language-yaml beside pulumi";
  return { code: "noEngine", finding: "there is no pulumi-language-yaml beside pulumi or on the PATH", advice };
}

/**
 * The next step after a text of the engine, which names only one way, or none, or one by which earlier values are lost.
 * The words after this text are left out.
 */
const NEXT_STEPS: readonly (readonly [error: string, advice: string])[] = [
  [
    "PULUMI_ACCESS_TOKEN must be set for login",
    "To keep the state on this machine, run 'pulumi login --local'; for another backend, set PULUMI_BACKEND_URL",
  ],
  ["incorrect passphrase", "Set PULUMI_CONFIG_PASSPHRASE to the passphrase with which the stack was made"],
  [
    "pending operations from previous deployment",
    "An earlier run was killed. After 'fleet up' has ended, run 'fleet refresh': it removes the pending operations",
  ],
  [
    "passphrase must be set",
    "Run 'export PULUMI_CONFIG_PASSPHRASE='. It encrypts secrets in the state, and may be empty",
  ],
];

/**
 * An error of the engine as a problem. Names of temporary files are removed, so that the same error of several stacks
 * is equal.
 */
export function problemOfEngine(text: string): Message {
  const finding = text.replace(/^(pre|post)-step event returned an error: /, "").replace(/\.[0-9a-f]{16}\.tmp\b/g, "");
  const next = NEXT_STEPS.find(([error]) => finding.includes(error));
  if (!next) return { code: "engine", finding };
  const [known, advice] = next;
  return { code: "engine", finding: finding.split(known)[0] + known, advice };
}

/**
 * Reports who has locked a stack, and the next step.
 * @param folder the fleet's project
 * @param message the engine's message
 */
export function heldBy(stack: string, folder: string, message: string): Message {
  const free = `unlock it with: ${freeing(stack, folder)}`;
  const wait = `Wait for that run; if it was killed, ${free}`;
  const [, user, host, pid, since] = /created by (\S+)@([^\s@]+) \(pid (\d+)\) at (\S+)/.exec(message) ?? [];
  // Pulumi Cloud does not name the run.
  if (user === undefined) return stackHeld("another run has locked this stack", wait);
  const holder = `locked by a run of ${user}@${host}, process ${pid}, since ${since}`;
  if (host !== hostname()) return stackHeld(holder, wait);
  if (isAlive(Number(pid))) return stackHeld(holder, "Wait for that run");
  return stackHeld(`${holder}, which ended without unlocking it`, `Now ${free}`);
}

function stackHeld(finding: string, advice: string): Message {
  return { code: "stackHeld", finding, advice };
}

/** Reports that an engine was killed, and the next step. @param folder the fleet's project */
export function engineKilled(stack: string, folder: string, signal: NodeJS.Signals): Message {
  const cause = signal === "SIGKILL" ? "; if the machine ran out of memory, lower --parallel" : "";
  return {
    code: "engineKilled",
    finding: `the engine was killed (${signal}${cause}). Its last requests may be missing in state`,
    advice: `Unlock the stack with: ${freeing(stack, folder)}; then run the same command again`,
  };
}

/** The command that frees a stack which a run has left locked. */
function freeing(stack: string, folder: string): string {
  return `pulumi cancel --yes --stack ${stack} --cwd ${quoted(folder)}`;
}
