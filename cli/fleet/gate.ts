import { spawn } from "node:child_process";
import { once } from "node:events";
import { memberCount } from "../../provider/manifest/model";
import { counted } from "../counted";
import type { Plan } from "../stacks/plan";
import { ask, canAsk } from "../terminal";
import { gateEnvironment, type WaveReport } from "./waveReport";
import type { Wave } from "./waves";

/** Asks before everything is deleted, unless `yes` answers. @throws Error without a terminal */
export async function confirmed({ fleet, stacks }: Plan, { yes }: { readonly yes?: boolean }): Promise<boolean> {
  if (!yes && !canAsk()) throw new Error("destroy needs --yes without a terminal");
  const devices = memberCount(stacks.flatMap(({ sites }) => sites));
  return yes || (await ask(`Stop managing ${counted(devices, "device")} of ${fleet}?`));
}

/**
 * Decides between two waves: by the command if there is one, otherwise by a question at a terminal. The command gets
 * the counts of the wave in its environment, and its output is shown. It ends with the run.
 */
export function gateOf(
  fleet: string,
  { gate, yes }: { readonly gate?: string; readonly yes?: boolean },
  signal: AbortSignal,
): (done: WaveReport, next: Wave) => Promise<boolean> {
  return async (done, next) => {
    if (gate !== undefined) return await succeeds(gate, signal, gateEnvironment(fleet, done, next));
    if (yes || !canAsk()) return true;
    return await ask(`Continue with wave ${next.name}?`);
  };
}

async function succeeds(command: string, signal: AbortSignal, env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    // Standard output is reserved for the summary.
    const child = spawn(command, { shell: true, signal, stdio: ["ignore", 2, 2], env: { ...process.env, ...env } });
    const [code] = await once(child, "close");
    return code === 0;
  } catch (error) {
    if (!signal.aborted) console.error(`the gate cannot be run: ${(error as Error).message}`);
    return false;
  }
}
