import { hostname } from "node:os";
import type { Message } from "../../../provider/messages/message";
import { quoted } from "../../shell";
import { holderIn } from "./texts";

/**
 * Reports who has locked a stack, and what to do.
 * @param folder the fleet's project
 * @param message the engine's
 */
export function heldBy(stack: string, folder: string, message: string): Message {
  const free = `free it with: ${freeing(stack, folder)}`;
  const wait = `Wait for that run; if it was killed, ${free}`;
  const held = holderIn(message);
  if (!held) return stackHeld("another run holds it", wait);
  const { user, host, pid, since } = held;
  const holder = `held by a run of ${user}@${host}, process ${pid}, since ${since}`;
  if (host !== hostname()) return stackHeld(holder, wait);
  if (isAlive(pid)) return stackHeld(holder, "Wait for that run");
  return stackHeld(`${holder}, which ended without freeing it`, `Now ${free}`);
}

function stackHeld(finding: string, advice: string): Message {
  return { code: "stackHeld", finding, advice };
}

/** Says that an engine was killed, and what to do. @param folder the fleet's project */
export function engineKilled(stack: string, folder: string, signal: NodeJS.Signals): Message {
  const cause = signal === "SIGKILL" ? ", as the system does if memory is short: then lower --parallel" : "";
  return {
    code: "engineKilled",
    finding: `the engine was killed (${signal}${cause}). What it has sent last may not be in state`,
    advice: `Free the stack with: ${freeing(stack, folder)}; then run the same command again`,
  };
}

/** The command that frees a stack which a run has left locked. */
function freeing(stack: string, folder: string): string {
  return `pulumi cancel --yes --stack ${stack} --cwd ${quoted(folder)}`;
}

/** Whether there is such a process on this machine. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One of another user is there, and cannot be signalled.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
