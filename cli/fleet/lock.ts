import { hostname } from "node:os";
import { quoted } from "../shell";

/** What the engine says of a lock in a backend of your own; Pulumi Cloud says nothing. */
const HOLDER = /created by (\S+)@(\S+) \(pid (\d+)\) at (\S+)/;

/**
 * Says who holds a stack, and what to do.
 * @param folder the fleet's project
 * @param message the engine's
 */
export function heldBy(stack: string, folder: string, message: string): string {
  const free = `free it with: ${freeing(stack, folder)}`;
  const [, user, host, pid, since] = HOLDER.exec(message) ?? [];
  if (user === undefined) return `another run holds it. Wait for that run; if it was killed, ${free}`;
  const holder = `held by a run of ${user}@${host}, process ${pid}, since ${since}`;
  if (host !== hostname()) return `${holder}. Wait for that run; if it was killed, ${free}`;
  if (isAlive(Number(pid))) return `${holder}. Wait for that run`;
  return `${holder}, which ended without freeing it. Now ${free}`;
}

/** The command that frees a stack which a run has left locked. */
export function freeing(stack: string, folder: string): string {
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
