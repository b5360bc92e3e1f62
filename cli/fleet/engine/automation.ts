import childProcess, { type ChildProcess, type SpawnOptions } from "node:child_process";
import { constants } from "node:os";
import * as pulumi from "@pulumi/pulumi";
import { CommandError, type LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";

/** Everything that changes, or looks into, the Automation API and the SDK beside what they document: each with its reason. */

/**
 * Has the engines that this process starts from now on lead process groups of their own, and get signals there. What a terminal,
 * `timeout` or a runner sends to the whole group of this process then reaches no engine: with the signal that the driver
 * passes on it would be the second one, at which an engine ends without saving. And what the driver passes on reaches an
 * engine also behind a launcher, such as that of the npm package `pulumi`, which passes on nothing. The Automation API, which
 * starts the engines, has no option for either.
 * @param signal an engine that is started after it is ended at once, as the Automation API looks no more
 */
export function separateEngines(signal: AbortSignal): void {
  const { spawn } = childProcess;
  // A Windows process group would be a console of its own.
  if (process.platform === "win32") return;
  const separate = (command: string, args: readonly string[], options: SpawnOptions): ChildProcess => {
    if (command !== "pulumi") return spawn(command, args, options);
    const engine = spawn(command, args, { ...options, detached: true });
    engine.kill = (name) => signalGroup(engine, name);
    if (signal.aborted) engine.kill("SIGINT");
    return engine;
  };
  Object.assign(childProcess, { spawn: separate });
}

/** As `kill` of a process, of all that are in its group. */
function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals | number = "SIGTERM"): boolean {
  try {
    return pid !== undefined && process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    return false;
  }
}

/** Each would start the engine once more: it selects a stack that every command names anyway, and reads its outputs. */
export function withoutExtraCommands(workspace: LocalWorkspace): LocalWorkspace {
  workspace.selectStack = async () => {};
  workspace.stackOutputs = async () => ({});
  return workspace;
}

/** After each operation it would start the engine once more, to read the stack's history. */
export function withoutHistory(stack: Stack): Stack {
  stack.info = async () => undefined;
  return stack;
}

/**
 * Makes programs in this thread a third faster, which have no code of their own: nobody reads their messages for debugging,
 * each a request to the engine, nor their stack traces, of which the SDK makes several for each property of a resource.
 */
export function muteProgram(): void {
  Object.assign(pulumi.log, { debug: async () => {} });
  Error.stackTraceLimit = 0;
}

/** How the Automation API keeps what became of a process: it has no type for it. */
interface Ended {
  readonly commandResult?: {
    readonly err?: { readonly signal?: NodeJS.Signals; readonly exitCode?: number };
  };
}

/**
 * The signal that has ended an engine; undefined if none has. Behind a launcher, such as that of the npm package `pulumi`,
 * its number is in the exit code.
 */
export function killedBy(problem: unknown): NodeJS.Signals | undefined {
  if (!(problem instanceof CommandError)) return undefined;
  const { signal, exitCode = 0 } = (problem as unknown as Ended).commandResult?.err ?? {};
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return signal ?? names.find(([, number]) => exitCode === 128 + number)?.[0];
}
