import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * A file that lines are appended to, by several processes at a time: each line is one write in append mode, which local
 * file systems do as a whole. Empty lines mean nothing. Opened with the first line; ends with the process.
 */
export class LineFile {
  #file: number | undefined;
  #isMidLine = false;

  constructor(readonly path: string) {}

  /** Opens the file, and makes it if there is none. @throws Error, see `reasonOf` */
  open(): void {
    if (this.#file !== undefined) return;
    refusePipe(this.path);
    this.#file = openSync(this.path, "a");
    this.#isMidLine = endsMidLine(this.path);
  }

  /** Looks whether it can be opened, and makes nothing. @throws Error as `open` would, as far as that shows */
  tryOut(): void {
    refusePipe(this.path);
    try {
      closeSync(openSync(this.path, constants.O_WRONLY | constants.O_APPEND));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      accessSync(dirname(this.path), constants.W_OK | constants.X_OK);
    }
  }

  /** Appends a line, which stands alone whatever was before. @throws Error as `open`; the line may be there in part */
  append(line: string): void {
    this.open();
    const bytes = Buffer.from(`${this.#isMidLine ? "\n" : ""}${line}\n`);
    const written = writeSync(this.#file as number, bytes);
    this.#isMidLine = written < bytes.length;
    if (this.#isMidLine) throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
  }
}

/** Why a file cannot be written, in a word or a few. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/** A pipe keeps nothing, and opening one that nobody reads from never ends. */
function refusePipe(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO()) throw new Error("it is a pipe, and no file");
}

/**
 * Whether somebody was stopped in the middle of the last line, or is in the middle of it right now, after which a new
 * line is an empty one. Not known of a file that may not be read.
 */
function endsMidLine(path: string): boolean {
  try {
    const file = openSync(path, "r");
    try {
      const last = Buffer.alloc(1);
      const { size } = fstatSync(file);
      return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
