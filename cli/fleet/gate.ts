import { spawn } from "node:child_process";
import { once } from "node:events";
import { sizeOf, type Wave } from "./waves";

/** Whether somebody can be asked. */
function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !("CI" in process.env);
}

/** Asks, unless `yes` says that nothing is to be asked. False where nobody can be asked. */
export async function confirmed(question: string, { yes }: { readonly yes?: boolean }): Promise<boolean> {
  if (yes) return true;
  if (!isTerminal()) return false;
  const { default: confirm } = await import("@inquirer/confirm");
  return await confirm({ message: question, default: false }, { output: process.stderr });
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
    return await confirmed(`Wave ${done.name} is applied. Go on with ${next.name}, ${sizeOf(next)} devices?`, {});
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
