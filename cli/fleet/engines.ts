import childProcess, { type ChildProcess, type SpawnOptions } from "node:child_process";

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
