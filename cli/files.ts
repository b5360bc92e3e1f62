import { randomUUID } from "node:crypto";
import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/**
 * Writes a file whole or not at all, also if another process does at the same time, perhaps on another machine. One that
 * is there keeps its mode, and a link to it stays.
 * @throws Error if it cannot be written, as on a full disk; the earlier file stays, and nothing is left beside it
 */
export function replaceFile(file: string, text: string): void {
  const { target, mode } = whatIsAt(file);
  const beside = `${target}.${randomUUID()}.tmp`;
  try {
    writeFileSync(beside, text, { mode });
    if (mode !== undefined) chmodSync(beside, mode); // The umask took from it.
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** The error about a file that could not be written: what happened, and what to do. */
export function notWritten(error: unknown): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  const remedy = ["ENOSPC", "EDQUOT"].includes(code) ? "Make room" : "Look at the folder and who may write there";
  return `${message}. ${remedy}, then run this again`;
}

function whatIsAt(file: string): { readonly target: string; readonly mode?: number } {
  try {
    const target = realpathSync(file);
    return { target, mode: statSync(target).mode & 0o7777 };
  } catch {
    return { target: file };
  }
}
