import { closeSync, fstatSync, openSync, rmSync, statSync } from "node:fs";
import { z } from "zod";
import { MESSAGE_CODES } from "../messages/codes";
import { MessageError } from "../messages/message";
import type { Values } from "../settings/setting";
import { isOfSetting } from "../settings/valueOf";
import { type LedgerDevice, settingValue } from "./ledgerLine";
import { jsonIn, LineFile, linesOf, reasonOf } from "./lineFile";
import { storeUnusable } from "./messages";
import { isAlive, pathOfRun } from "./placeOfRun";

/** The variable with the file that all providers of a run with several engines share. */
export const STORE_FILE = "SOLAR_CHARGING_STORE_FILE";

/** The process id of a run that has ended, even if its process now serves another run. */
const ENDED = 0;

const device = { service: z.string().optional(), businessId: z.string(), deviceId: z.string() };

/**
 * One line: the process that wrote it, and its news. Names in it may have all characters that the engine accepts.
 * Without this, the other providers would not know a resource called `☀️-Dach`.
 */
const sharedLine = z.object({
  pid: z.int().min(ENDED),
  claim: z
    .object({
      ...device,
      urn: z.string().optional(),
      words: z.string(),
      kind: z.enum(["vehicle", "inverter"]).optional(),
      values: z.record(z.string(), z.unknown()).transform((all) => all as Values),
    })
    .optional(),
  forget: z.string().optional(),
  warned: z.enum(MESSAGE_CODES).optional(),
  event: z
    .object({
      ...device,
      key: z.string(),
      event: z.enum(["released", "written", "updated", "kept"]),
      ours: z.array(settingValue).readonly(),
      before: settingValue.optional(),
    })
    .refine(({ key, ours, before }) =>
      [...ours, ...(before === undefined ? [] : [before])].every((one) => isOfSetting(key, one)),
    )
    .optional(),
});

/**
 * A line without its writer. It is a claim, a resource whose claims no longer count, a warning about the whole run that
 * was shown, or an event of a setting.
 */
export type SharedLine = Omit<z.infer<typeof sharedLine>, "pid">;

/** The declarations of a device by one resource, with the name of the resource in messages. */
export type SharedClaim = NonNullable<SharedLine["claim"]>;

/** The part of a shared file that a store needs. */
export type SharedLines = Pick<SharedFile, "append" | "news" | "isAlive" | "own" | "end">;

/** Stands for a line of this process. */
const OWN = Symbol("own");

/** The id of this process, and a test whether another process still runs. */
interface Processes {
  readonly own: number;
  isAlive(pid: number): boolean;
}

const PROCESSES: Processes = { own: process.pid, isAlive };

/**
 * The claims and baselines of all provider processes of one run, in a file to which each appends, and which each reads.
 * A process that cannot use the file fails before it sends anything. Without this, it would overwrite the values of
 * another provider of the run, and record them as baselines.
 */
export class SharedFile {
  #file: LineFile | undefined;
  #path: string | undefined;
  #reader = 0;
  /** The number of bytes that this process has read, and the number that it has written after them. */
  #read = 0;
  #written = 0;
  /** The size of the file when this run opened it. Lines of this process before that are of its earlier runs. */
  #begin: number | undefined;
  readonly #others = new Set<number>();

  /**
   * @param path returns the path of the file; throws an Error if there is no place for it
   * @param made whether another process has made the file. Then nothing may be sent without the claims in it
   */
  constructor(
    private readonly path: () => string,
    private readonly processes: Processes = PROCESSES,
    private readonly made: { readonly isMade: boolean } = { isMade: false },
  ) {}

  /** Appends lines in one write. @throws MessageError if it cannot */
  append(lines: readonly SharedLine[]): void {
    this.#using((file) => this.#write(file, lines));
  }

  /** The id of this process. */
  get own(): number {
    return this.processes.own;
  }

  /**
   * The lines of other processes since the last call. If there are some, the warnings of this process are included,
   * because the order of all warnings counts.
   * @throws MessageError if one of them cannot be read
   */
  news(): { readonly pid: number; readonly line: SharedLine }[] {
    return this.#using(() => this.#news());
  }

  #news(): { readonly pid: number; readonly line: SharedLine }[] {
    const { size } = fstatSync(this.#reader);
    const news: { pid: number; line: SharedLine }[] = [];
    const hasNews = size > this.#read + this.#written;
    if (!hasNews) this.#read = size;
    this.#written = 0;
    if (hasNews) {
      const own = `{"pid":${this.own},`;
      for (const { text, start, end } of linesOf(this.#reader, this.#read)) {
        // The last line may be incomplete while its writer is still writing.
        if (end >= size) break;
        // Lines of this process are not parsed. Lines of others must be understood.
        const isOfRun = start >= (this.#begin ?? 0);
        const isWarning = text.startsWith('"warned"', own.length);
        const found = isOfRun && text.startsWith(own) && !isWarning ? OWN : jsonIn(sharedLine, text);
        if (!found) throw new Error("it has a line that this version cannot read");
        this.#read = end + 1;
        if (found === OWN) continue;
        const { pid, ...line } = found;
        if (isOfRun && !isWarning && pid === this.own) continue;
        if (pid !== this.own) this.#others.add(pid);
        news.push({ pid: pid === this.own && !isOfRun ? ENDED : pid, line });
      }
    }
    return news;
  }

  /** Whether a process that wrote to this file still runs. */
  isAlive(pid: number): boolean {
    return pid !== ENDED && this.processes.isAlive(pid);
  }

  /**
   * Closes the file. Removes it, unless the command has made it: processes that have opened it can still use it, and no
   * other process opens it. Without this, declared values would stay on the disk until the next run.
   */
  end(): void {
    if (this.made.isMade) this.close();
    else if (this.#file) rmSync(this.#file.path, { force: true });
  }

  /** Ends the use of the file by this process. Removes it if no other process uses it. */
  close(): void {
    if (!this.#file) return;
    try {
      // The command removes the file that it has made. Reading it here once for each run would take seconds in a large
      // fleet.
      if (!this.made.isMade) this.#news();
    } catch {
      // No other process can read this file.
    }
    closeSync(this.#reader);
    this.#file.close();
    opened.delete(this);
    if (![...this.#others].some((pid) => this.isAlive(pid)) && !this.made.isMade) {
      rmSync(this.#file.path, { force: true });
    }
    this.#file = undefined;
  }

  #using<T>(use: (file: LineFile) => T): T {
    try {
      this.#file ??= this.#opened();
      return use(this.#file);
    } catch (error) {
      throw new MessageError(storeUnusable(reasonOf(error), this.#path));
    }
  }

  #opened(): LineFile {
    const path = this.path();
    this.#path = path;
    if (this.made.isMade) statSync(path);
    const file = new LineFile(path, 0o600);
    file.open();
    this.#reader = openSync(path, "r");
    this.#begin ??= fstatSync(this.#reader).size;
    // After this line, no other process removes the file as unused.
    this.#write(file, [{}]);
    opened.add(this);
    return file;
  }

  #write(file: LineFile, lines: readonly SharedLine[]): void {
    this.#written += file.append(lines.map((line) => JSON.stringify({ pid: this.own, ...line })).join("\n"));
  }
}

const opened = new Set<SharedFile>();
process.on("exit", () => {
  for (const file of opened) file.close();
});

/** The file of a run. @param engine address of its engine, if there is one */
export function sharedFileOf(environment: NodeJS.ProcessEnv, engine: string | undefined): SharedFile | undefined {
  const named = environment[STORE_FILE];
  if (named) return new SharedFile(() => named, PROCESSES, { isMade: true });
  return engine === undefined ? undefined : new SharedFile(() => pathOfRun(engine, environment));
}

/** The declarations of a device by a fleet. */
type Claim = readonly [device: LedgerDevice, values: Values];

/**
 * Writes the declarations of several stacks, so that no stack resets another one's values.
 * @returns the variable that names the file to the providers
 * @throws Error if it cannot
 */
export function writeClaims(path: string, claims: readonly Claim[]): Record<string, string> {
  const words = "another stack of the fleet";
  const lines = claims.map(([{ businessId, deviceId }, values]) => ({
    claim: { businessId, deviceId, words, values },
  }));
  const file = new LineFile(path, 0o600);
  file.append([{}, ...lines].map((line) => JSON.stringify({ pid: process.pid, ...line })).join("\n"));
  file.close();
  return { [STORE_FILE]: path };
}
