import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { type Message, MessageError } from "../../provider/messages/message";
import { inShort, isNoHost, noEngine, noHost, problemOfEngine } from "./texts";

/** The folder and environment of `pulumi`. */
export interface ProjectFolder {
  readonly folder: string;
  /** Variables in addition to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The failure of a command of `pulumi`. */
export interface EngineFailure {
  readonly problem: Message;
  /** All that it printed on standard error. */
  readonly text: string;
  /** The signal that ended it, if any. */
  readonly signal?: NodeJS.Signals;
}

/** A command that failed, in one line. */
export class CommandError extends MessageError {
  constructor(readonly failure: EngineFailure) {
    super(failure.problem);
  }
}

/** Runs a command. @returns its standard output. @throws CommandError */
export async function pulumi(place: ProjectFolder, ...args: string[]): Promise<string> {
  const child = start(place, args);
  const [output, failure] = await Promise.all([text(child.stdout), ended(child)]);
  if (failure) throw new CommandError(failure);
  return output;
}

/** The beginning of the used events. Others, such as that at the start of a step, are as large as a site. */
const USED = /^\{[^{}]*"(?:resOutputsEvent|resOpFailedEvent|diagnosticEvent)":/;

/**
 * Runs an operation, and passes on the engine's events of `USED` immediately. @returns the failure; undefined if it
 * succeeded
 */
export async function operate(
  place: ProjectFolder,
  args: readonly string[],
  signal: AbortSignal,
  onEvent: (event: EngineEvent) => void,
): Promise<EngineFailure | undefined> {
  const env = { ...place.env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  const child = start({ ...place, env }, [...args, "--json", "--color", "never"]);
  const interrupt = () => signalGroup(child, "SIGINT");
  signal.addEventListener("abort", interrupt, { once: true });
  // Without this, an engine that starts after the signal would not stop.
  if (signal.aborted) interrupt();
  const end = ended(child);
  // Other lines on standard output are not from the engine.
  for await (const line of createInterface(child.stdout)) if (USED.test(line)) onEvent(JSON.parse(line));
  const failure = await end;
  signal.removeEventListener("abort", interrupt);
  return failure;
}

type Started = ReturnType<typeof start>;

/**
 * Starts `pulumi` in its own process group. Without this, a signal from a terminal, `timeout` or a runner would reach
 * the engine twice: directly, and from the driver. At the second signal, an engine ends without saving. The group also
 * lets the driver's signal reach an engine that was started by a launcher that does not forward signals, such as npm's.
 */
function start({ folder, env = {} }: ProjectFolder, args: readonly string[]) {
  return spawn("pulumi", [...args, "--non-interactive"], {
    cwd: folder,
    // Without this, each engine would look for a newer version of Pulumi, and nobody would see the result.
    env: { PULUMI_SKIP_UPDATE_CHECK: "true", ...process.env, ...env },
    detached: process.platform !== "win32", // On Windows, a process group would open its own console.
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Waits for the end of a process. */
async function ended(child: Started): Promise<EngineFailure | undefined> {
  const errors = text(child.stderr);
  try {
    const [code, killer] = await once(child, "close");
    if (code === 0) return undefined;
    const printed = await errors;
    const signal = killer ?? signalIn(code);
    const problem = isNoHost(printed)
      ? noHost()
      : problemOfEngine(inShort(printed) || `pulumi ended with exit code ${code}`);
    return { problem, text: printed, ...(signal && { signal }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: code === "ENOENT" ? noEngine() : problemOfEngine(message), text: message };
  }
}

/** The signal in an exit code. A launcher, such as that of the npm package `pulumi`, reports signals in this way. */
function signalIn(code: number): NodeJS.Signals | undefined {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return names.find(([, number]) => code === 128 + number)?.[0];
}
