import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import type { SharedLine, SharedLines } from "../lifecycle/run/records";
import { MessageError } from "../messages/message";
import { characterProblem, idSchema } from "../settings/schema";
import type { Values } from "../settings/setting";
import type { LedgerDevice } from "./ledgerLine";
import { jsonIn, LineFile, linesOf, reasonOf } from "./lineFile";
import { storeUnusable } from "./messages";
import { isOfSetting } from "./settingValue";

/** The variable with the file that all providers of a run with several engines share. */
export const STORE_FILE = "SOLAR_CHARGING_STORE_FILE";

/** Longest text of a line, in characters (our choice): the engine's names of resources are the longest. */
const LONGEST_TEXT = 4096;

const text = z
  .string()
  .max(LONGEST_TEXT)
  .refine((one) => characterProblem(one) === undefined);
const value = z.union([z.number(), z.string().max(256)]);
const values = z.record(z.string(), value);
const device = { service: text.optional(), businessId: idSchema, deviceId: idSchema };

/** One line: the id of the process that wrote it, and its news. Lines of another form are ignored. */
const sharedLine = z.object({
  pid: z.int().min(1),
  claim: z
    .strictObject({
      ...device,
      urn: text.optional(),
      words: text,
      kind: z.enum(["vehicle", "inverter"]).optional(),
      values,
    })
    .optional(),
  release: text.optional(),
  restored: z.strictObject({ ...device, values }).optional(),
  former: z
    .strictObject({ ...device, key: z.string(), ours: z.array(value).max(100), before: value.optional() })
    .refine(({ key, ours, before }) =>
      [...ours, ...(before === undefined ? [] : [before])].every((one) => isOfSetting(key, one)),
    )
    .optional(),
});

/** The id of this process, and a test whether another process still runs. */
export interface Processes {
  readonly own: number;
  isAlive(pid: number): boolean;
}

const PROCESSES: Processes = { own: process.pid, isAlive };

/**
 * The claims and baselines of all provider processes of one run, in a file that each appends to and reads. A process
 * that cannot use the file, for example because the disk is full, continues alone.
 */
export class SharedFile implements SharedLines {
  readonly #file: LineFile;
  #reader: number | undefined;
  /** Number of bytes that this process has read, and number of bytes that it has written after them. */
  #read = 0;
  #written = 0;
  #isBroken = false;
  readonly #others = new Set<number>();

  constructor(
    private readonly path: string,
    private readonly processes: Processes = PROCESSES,
    private readonly isRequired = false,
  ) {
    this.#file = new LineFile(path, 0o600);
  }

  /** Appends lines in one write. @throws MessageError if it cannot, and the file is required */
  append(lines: readonly SharedLine[]): void {
    if (this.#open()) this.#write(lines);
  }

  /** The lines of other processes since the last call. */
  news(): { readonly pid: number; readonly line: SharedLine }[] {
    if (!this.#open()) return [];
    const file = this.#reader as number;
    if (fstatSync(file).size === this.#read + this.#written) {
      this.#read += this.#written;
      this.#written = 0;
      return [];
    }
    const own = `{"pid":${this.processes.own},`;
    const news: { pid: number; line: SharedLine }[] = [];
    const { size } = fstatSync(file);
    for (const { text, end } of linesOf(file, this.#read)) {
      // The last line may be incomplete while its writer is still writing.
      if (end < size) this.#read = end + 1;
      if (end >= size || text.startsWith(own)) continue;
      const line = jsonIn(sharedLine, text);
      if (!line || line.pid === this.processes.own) continue;
      const { pid, ...rest } = line;
      this.#others.add(pid);
      news.push({ pid, line: rest });
    }
    this.#written = 0;
    return news;
  }

  /** Whether a process that wrote to this file still runs. */
  isAlive(pid: number): boolean {
    return this.processes.isAlive(pid);
  }

  /** Removes the file if no other process uses it. */
  close(): void {
    if (this.#reader === undefined) return;
    this.news();
    closeSync(this.#reader);
    this.#file.close();
    this.#reader = undefined;
    this.#isBroken = true;
    opened.delete(this);
    if (![...this.#others].some((pid) => this.isAlive(pid))) rmSync(this.path, { force: true });
  }

  #open(): boolean {
    if (this.#isBroken || this.#reader !== undefined) return !this.#isBroken;
    try {
      // A fleet's driver has created it. Without the driver's claims, a stack would reset a device that moves to
      // another stack.
      if (this.isRequired) statSync(this.path);
      this.#file.open();
      this.#reader = openSync(this.path, "r");
    } catch (error) {
      return this.#fail(error);
    }
    opened.add(this);
    // After this line, no other process removes the file as unused.
    return this.#write([{}]);
  }

  #write(lines: readonly SharedLine[]): boolean {
    const { own } = this.processes;
    try {
      this.#written += this.#file.append(lines.map((line) => JSON.stringify({ pid: own, ...line })).join("\n"));
      return true;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): false {
    if (this.isRequired) throw new MessageError(storeUnusable(STORE_FILE, reasonOf(error)));
    this.#isBroken = true;
    return false;
  }
}

const opened = new Set<SharedFile>();
process.on("exit", () => {
  for (const file of opened) file.close();
});

/** The file of the run to which a process belongs. @param engine address of the engine, if there is one */
export function sharedFileOf(environment: NodeJS.ProcessEnv, engine: string | undefined): SharedFile | undefined {
  const named = environment[STORE_FILE];
  if (named) return new SharedFile(named, PROCESSES, true);
  const path = pathOfRun(engine);
  return path === undefined ? undefined : new SharedFile(path);
}

/**
 * A file that the provider processes of one run share. Each of its lines begins with the writing process, as
 * `{"pid":1,`.
 * @param engine address of the engine
 * @param subject the subject of the file; default: claims and baselines
 * @returns undefined without an engine, or without a private folder
 */
export function pathOfRun(engine: string | undefined, subject = ""): string | undefined {
  const folder = engine === undefined ? undefined : ownFolder();
  if (engine === undefined || folder === undefined) return undefined;
  const path = join(folder, `${engine.replace(/[^\w.-]/g, "-").slice(0, 100)}${subject}.jsonl`);
  sweep(folder, basename(path));
  return path;
}

/** The declarations of a device by a fleet. */
export type Claim = readonly [device: LedgerDevice, values: Values];

/**
 * Writes the declarations of several stacks, so that no stack resets another one's values. @throws Error if it cannot
 */
export function writeClaims(path: string, claims: readonly Claim[]): void {
  const words = "another stack of the fleet";
  const lines = claims.map(([{ businessId, deviceId }, values]) => ({
    claim: { businessId, deviceId, words, values },
  }));
  const file = new LineFile(path, 0o600);
  file.append([{}, ...lines].map((line) => JSON.stringify({ pid: process.pid, ...line })).join("\n"));
  file.close();
}

/** A folder that only this user can read and write; undefined if it cannot be made. */
function ownFolder(): string | undefined {
  const user = process.getuid?.();
  const folder = join(tmpdir(), user === undefined ? "solar-charging" : `solar-charging-${user}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isOurs = user === undefined || (uid === user && (mode & 0o077) === 0);
    return isOurs && lstatSync(folder).isDirectory() ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Age in milliseconds up to which a file without a line counts as new (our choice). */
const NEW = 60_000;

/** Removes the files of ended runs. Their providers cannot do it, because the engine kills them. */
function sweep(folder: string, own: string): void {
  for (const name of readdirSync(folder)) {
    if (name === own || !name.endsWith(".jsonl")) continue;
    const path = join(folder, name);
    try {
      const writers = new Set(
        [...readFileSync(path, "utf8").matchAll(/^\{"pid":(\d{1,10}),?/gm)].map(([, pid]) => Number(pid)),
      );
      const isNew = Date.now() - statSync(path).mtimeMs < NEW && writers.size === 0;
      if (!isNew && ![...writers].some(isAlive)) rmSync(path);
    } catch {
      // Another process has removed it, or will remove it.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
