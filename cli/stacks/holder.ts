import { hostname } from "node:os";
import { isAlive } from "../../provider/ledger/placeOfRun";
import type { Message } from "../../provider/messages/message";
import { quoted } from "../words";

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
