import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";

/**
 * Writes a file whole or not at all, even if another process or machine writes it at the same time. An existing file
 * keeps its mode, and a link stays a link.
 * @throws Error if it cannot be written, as on a full disk; the earlier file stays, and no temporary file is left
 */
export function replaceFile(file: string, text: string): void {
  const { target, mode } = whatIsAt(file);
  const beside = `${target}.${randomUUID()}.tmp`;
  try {
    writeFileSync(beside, text, { mode });
    if (mode !== undefined) chmodSync(beside, mode); // The umask removed bits from the mode.
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Writes an output. Without the check, a name in the wrong place would replace a manifest or a preview.
 * @param isOurs whether a text is an earlier output
 * @throws Error if the file is there already, and is something else
 */
export function replaceOutput(file: string, text: string, isOurs: (earlier: string) => boolean): void {
  refuseForeign(file, isOurs);
  try {
    replaceFile(file, text);
  } catch (error) {
    throw new Error(`${file} cannot be written: ${notWritten(error)}`);
  }
}

/** @throws Error if the file is something else than an earlier output. An empty one may be a temporary file for it */
export function refuseForeign(file: string, isOurs: (earlier: string) => boolean): void {
  const earlier = existsSync(file) && statSync(file).isFile() ? readFileSync(file, "utf8") : "";
  if (earlier.trim() === "" || isOurs(earlier)) return;
  throw new Error(`${file} is not an earlier output of this command, so it stays: name another file, or remove it`);
}

/** The content of a file that the user names; of standard input for 0. @throws Error that names it, and the reason */
export function readGiven(file: string | 0, name = String(file)): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${name}: ${code === "ENOENT" ? "there is no such file" : `cannot be read (${code ?? message})`}`);
  }
}

/** The value of a JSON text; undefined if it is something else. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error about a file that could not be written: the cause, and the next step. */
export function notWritten(error: unknown): string {
  const { message, code = "", syscall } = error as NodeJS.ErrnoException;
  // The code of Node's recursive mkdir on a read-only file system.
  if (code === "ENOENT" && syscall === "mkdir") return "its file system is read-only. Use a folder where you can write";
  if (code === "ENOENT") return "its folder does not exist. Make it, then run this again";
  const remedy = ["ENOSPC", "EDQUOT"].includes(code) ? "Make room" : "Check the permissions of the folder";
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
