import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { z } from "zod";

/**
 * A file to which several processes append lines. Each line is one write in append mode, which is atomic on local file
 * systems. Empty lines mean nothing. The file is opened when the first line is written.
 */
export class LineFile {
  #file: number | undefined;

  /** @param mode of a new file; default: according to the process's umask */
  constructor(
    readonly path: string,
    private readonly mode = 0o666,
  ) {}

  /** Opens the file, or creates it. @throws Error, see `reasonOf` */
  open(): void {
    if (this.#file !== undefined) return;
    refusePipe(this.path);
    this.#file = openSync(this.path, "a", this.mode);
  }

  /** Closes the file until the next line. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Checks whether it can be opened, without creating it. @throws Error as `open` */
  tryOut(): void {
    refuseEndless(this.path);
    try {
      closeSync(openSync(this.path, constants.O_WRONLY | constants.O_APPEND));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      accessSync(dirname(this.path), constants.W_OK | constants.X_OK);
    }
  }

  /**
   * Appends a line, separate from any text before it. @throws Error as `open`; a part of the line may be written
   * @returns the number of written bytes
   */
  append(line: string): number {
    this.open();
    // A line that begins with a line break needs no look at the end of the file.
    const isMidLine = !line.startsWith("\n") && endsMidLine(this.path);
    const bytes = Buffer.from(`${isMidLine ? "\n" : ""}${line}\n`);
    const written = writeSync(this.#file as number, bytes);
    if (written < bytes.length) throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
    return written;
  }
}

/** A line of a file, with its place in bytes. */
export interface PlacedLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Number of bytes that are read at once, and of the longest line of an untrusted file (our choice). */
const CHUNK = 1 << 20;

/**
 * The lines of a file. The file may have any size, but a JavaScript string has at most 512 MiB. Empty lines, and those
 * that are too long, are left out.
 * @param file an open file. @param start offset of the first line
 */
export function* linesOf(file: number, start = 0, longest = CHUNK): Generator<PlacedLine> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let rest = Buffer.alloc(0);
  let isTooLong = false;
  let at = start;
  for (let place = start; ; ) {
    const length = readSync(file, chunk, 0, CHUNK, place);
    place += length;
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
    let begin = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, begin)) {
      if (!isTooLong && end > begin && end - begin <= longest) yield lineAt(bytes.subarray(begin, end), at + begin);
      isTooLong = false;
      begin = end + 1;
    }
    // Without this, each chunk of a long line would be copied again with all before it.
    if (bytes.length - begin > longest) {
      isTooLong = true;
      begin = bytes.length;
    }
    rest = bytes.subarray(begin);
    at += begin;
    if (length > 0) continue;
    // The last line has no line break if a kill cut it short.
    if (!isTooLong && rest.length > 0) yield lineAt(rest, at);
    return;
  }
}

function lineAt(bytes: Buffer, start: number): PlacedLine {
  return { text: bytes.toString("utf8"), start, end: start + bytes.length };
}

/**
 * The complete lines of a file that processes of ours write, and the offset after them. A line that is still being
 * written follows later.
 * @param isMeant picks lines by their text. Without it, a process would keep the states of all sites in memory
 */
export function linesSince(file: number, start: number, isMeant: (text: string) => boolean) {
  const { size } = fstatSync(file);
  const texts: string[] = [];
  let next = start;
  if (size === start) return { texts, next };
  for (const { text, end } of linesOf(file, start, Number.POSITIVE_INFINITY)) {
    if (end >= size) break;
    if (isMeant(text)) texts.push(text);
    next = end + 1;
  }
  return { texts, next };
}

/** Opens a file to read its lines. @throws Error for a device or a pipe, whose lines may never end */
export function openToRead(path: string): number {
  refuseEndless(path);
  return openSync(path, "r");
}

/** The lines of a file from its beginning, see `linesOf`. */
export function* linesIn(path: string): Generator<PlacedLine> {
  const file = openToRead(path);
  try {
    yield* linesOf(file);
  } finally {
    closeSync(file);
  }
}

/** A line of JSON; undefined if it has another form, for example because a kill cut it short. */
export function jsonIn<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The reason why a file cannot be written, in a few words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/** Rejects a pipe or a device, whose lines may never end. */
function refuseEndless(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile() && !found.isDirectory()) throw new Error("it is a pipe or a device, not a regular file");
}

/** Rejects a pipe: opening one without a reader would wait forever. */
function refusePipe(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO()) throw new Error("it is a pipe, not a regular file");
}

/**
 * Whether the last line is incomplete, because its writer was stopped or is still writing. A new line then starts with
 * a line break. False for a file that this process cannot read.
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
