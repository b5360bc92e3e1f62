import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Plan } from "../stacks/plan";
import type { FleetOperation } from "../stacks/stack";
import { ask, canAsk } from "../terminal";
import { counted } from "../words";
import { gateEnvironment, sizeWords, type WaveReport } from "./waveReport";
import type { Wave } from "./waves";

/** The facts of a run that decide whether it has to be confirmed. */
interface Asked {
  readonly operation: FleetOperation;
  readonly plan: Plan;
  readonly waves: readonly Wave[];
  /** The record of a rollout that continues. */
  readonly earlier: object | undefined;
}

/** Asks before anything is sent, unless `yes` answers. @throws Error if all would be destroyed without a terminal */
export async function confirmed(
  { operation, plan, waves, earlier }: Asked,
  { yes }: { readonly yes?: boolean },
): Promise<boolean> {
  if (yes) return true;
  if (operation === "destroy") {
    if (!canAsk()) throw new Error("destroy needs --yes without a terminal");
    const { stacks, emptied, fleet } = plan;
    const all = counted(stacks.length + emptied.length, "stack");
    return await ask(`Stop managing all devices of ${fleet}, and remove ${all}?`);
  }
  const [first] = waves;
  // A rollout that continues asks before its next wave.
  if (operation !== "up" || !first || earlier || !canAsk()) return true;
  const wave = waves.length > 1 ? `wave ${first.name} of ` : "";
  return await ask(`Apply ${wave}${plan.fleet}, ${sizeWords(first)}? ('fleet preview' shows the changes)`);
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
