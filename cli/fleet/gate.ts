import { spawn } from "node:child_process";
import { once } from "node:events";
import { ask, canAsk } from "../terminal";
import { sizeOf, type Wave } from "./waves";

/**
 * Has a person at a terminal decide, unless `yes` says that nothing is to be asked.
 * @throws Error where nobody can be asked
 */
export async function confirmed(question: string, { yes }: { readonly yes?: boolean }): Promise<boolean> {
  if (!yes && !canAsk()) throw new Error("destroy needs --yes where nobody can be asked");
  return yes || (await ask(question));
}

/**
 * What decides between two waves: the command, where there is one; else a person at a terminal. The command learns of
 * the wave by its environment, and its output is shown. It is ended with the run.
 */
export function gateOf(
  fleet: string,
  { gate, yes }: { readonly gate?: string; readonly yes?: boolean },
  signal: AbortSignal,
): (done: Wave, next: Wave) => Promise<boolean> {
  return async (done, next) => {
    if (gate !== undefined)
      return await succeeds(gate, signal, {
        SOLAR_CHARGING_FLEET: fleet,
        SOLAR_CHARGING_WAVE: done.name,
        SOLAR_CHARGING_NEXT_WAVE: next.name,
        SOLAR_CHARGING_NEXT_STACKS: String(next.stacks.length),
        SOLAR_CHARGING_NEXT_DEVICES: next.name === "removal" ? "" : String(sizeOf(next)),
      });
    if (yes || !canAsk()) return true;
    return await ask(`Wave ${done.name} is applied. Go on with ${next.name}, ${told(next)}?`);
  };
}

function told(wave: Wave): string {
  return wave.name === "removal" ? `${wave.stacks.length} stacks whose sites are gone` : `${sizeOf(wave)} devices`;
}

async function succeeds(command: string, signal: AbortSignal, env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    // Standard output is for the summary.
    const child = spawn(command, { shell: true, signal, stdio: ["ignore", 2, 2], env: { ...process.env, ...env } });
    const [code] = await once(child, "close");
    return code === 0;
  } catch (error) {
    if (!signal.aborted) console.error(`the gate cannot be run: ${(error as Error).message}`);
    return false;
  }
}
