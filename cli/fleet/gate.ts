import { spawn } from "node:child_process";
import { once } from "node:events";
import { sizeOf, type Wave } from "./waves";

/** Whether somebody can be asked. */
function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !("CI" in process.env);
}

/**
 * Has a person at a terminal decide, unless `yes` says that nothing is to be asked.
 * @throws Error where the answer is no, or nobody can be asked
 */
export async function confirm(question: string, { yes }: { readonly yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!isTerminal()) throw new Error("destroy needs --yes where nobody can be asked");
  if (!(await ask(question))) throw new Error("nothing is done");
}

/** Asks at the terminal. Ctrl-C, which reaches nobody else while it asks, is an interruption of the run, and a no. */
async function ask(question: string): Promise<boolean> {
  const { default: prompt } = await import("@inquirer/confirm");
  try {
    return await prompt({ message: question, default: false }, { output: process.stderr });
  } catch (error) {
    if ((error as Error).name !== "ExitPromptError") throw error;
    process.emit("SIGINT", "SIGINT");
    return false;
  }
}

/**
 * What decides between two waves: the command, where there is one; else a person at a terminal. The command learns of
 * the wave by its environment, and its output is shown.
 */
export function gateOf(
  fleet: string,
  { gate, yes }: { readonly gate?: string; readonly yes?: boolean },
): (done: Wave, next: Wave) => Promise<boolean> {
  return async (done, next) => {
    if (gate !== undefined) return await succeeds(gate, fleet, done, next);
    if (yes || !isTerminal()) return true;
    return await ask(`Wave ${done.name} is applied. Go on with ${next.name}, ${sizeOf(next)} devices?`);
  };
}

async function succeeds(command: string, fleet: string, done: Wave, next: Wave): Promise<boolean> {
  const child = spawn(command, {
    shell: true,
    // Standard output is for the summary.
    stdio: ["ignore", 2, 2],
    env: {
      ...process.env,
      SOLAR_CHARGING_FLEET: fleet,
      SOLAR_CHARGING_WAVE: done.name,
      SOLAR_CHARGING_NEXT_WAVE: next.name,
      SOLAR_CHARGING_NEXT_DEVICES: String(sizeOf(next)),
    },
  });
  const [code] = await once(child, "close");
  return code === 0;
}
