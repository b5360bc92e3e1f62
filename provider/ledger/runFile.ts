import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, openSync, rmSync, statSync } from "node:fs";
import { z } from "zod";
import { MessageError, type RunMessage } from "../messages/message";
import type { DeviceRef } from "../service/device";
import type { Values } from "../settings/setting";
import { isOfSetting } from "../settings/valueOf";
import type { Done } from "./done";
import { settingValue } from "./ledgerLine";
import { jsonIn, LineFile, linesSince, reasonOf } from "./lineFile";
import { storeUnusable } from "./messages";
import { once } from "./once";
import { isAlive, pathOfRun, removeUnused } from "./placeOfRun";

/** The variable with the file of a run that a command has started, and follows. */
export const RUN_FILE = "SOLAR_CHARGING_RUN_FILE";

const device = { service: z.string().optional(), businessId: z.string(), deviceId: z.string() };

/**
 * A line that providers read: the process that wrote it, and its news. Names in it may have all characters that the
 * engine accepts. Without this, the other providers would not know a resource called `☀️-Dach`.
 */
const sharedLine = z.object({
  pid: z.int().min(1),
  claim: z
    .object({
      ...device,
      urn: z.string().optional(),
      words: z.string(),
      kind: z.enum(["vehicle", "inverter"]).optional(),
      values: z.record(z.string(), z.unknown()),
    })
    .optional(),
  forget: z.string().optional(),
  event: z
    .object({
      ...device,
      key: z.string(),
      old: settingValue.optional(),
      new: settingValue,
      event: z.enum(["released", "written", "updated", "kept"]),
    })
    .refine(({ key, old, new: value }) => [old ?? value, value].every((one) => isOfSetting(key, one)))
    .optional(),
});

/**
 * A line without its writer. Providers read a claim, a resource whose claims no longer count, or an event of a setting. The
 * rest are reports, which only the command reads.
 */
export type RunLine = Omit<z.infer<typeof sharedLine>, "pid"> & {
  /** The kind of a request that is about to be made. */
  readonly request?: string;
  /** Whether the service begins to fail for this process, or answers again. */
  readonly isFailing?: boolean;
  readonly message?: RunMessage;
  readonly done?: Done;
};

/**
 * The beginning of a report, whose kind is its first key. Without it, each provider would parse the states in the reports
 * of all others.
 */
const REPORT = /^\{"pid":\d+,"by":"[^"]*","(?:request|isFailing|message|done)":/;

/**
 * The keys of a device that a resource, or one device of a site's resource, declares. An unknown value equals no other
 * value. Without the engine's name of the resource, no duplicate declaration is refused. `words` is the name of the
 * owner in messages: `VehicleSettings 'car'`, `vehicle/car of SiteSettings 'berlin'`.
 */
export type Claim = NonNullable<RunLine["claim"]>;

/** An event that the processes of a run share. */
export type SharedEvent = NonNullable<RunLine["event"]>;

/** The part of a run's file that a store needs. */
export type SharedLines = Pick<RunFile, "append" | "news" | "isAlive" | "end">;

/** The id of this process, and a test whether another process still runs. */
const PROCESSES = { own: process.pid, isAlive };

/**
 * The claims and baselines of all provider processes of one run, in a file to which each appends, and which each reads.
 * If a command has started the run, it follows the file, and the providers also report to it. A process that cannot use
 * the file fails before it sends anything. Without this, it would overwrite the values of another provider of the run,
 * and record them as baselines.
 */
export class RunFile {
  #file: LineFile | undefined;
  #path: string | undefined;
  #reader = 0;
  /** The number of bytes that this process need not read any more. */
  #read = 0;
  /** The writer in each line. The process id alone does not identify it: an ended process may have had the same one. */
  readonly #writer: { readonly pid: number; readonly by: string };

  /**
   * @param path returns the path of the file; throws an Error if there is no place for it
   * @param made whether a command has made the file, and follows it. Then nothing may be sent without the claims in it
   */
  constructor(
    readonly path: () => string,
    private readonly processes = PROCESSES,
    private readonly made = { isMade: false },
  ) {
    this.#writer = { pid: processes.own, by: randomUUID().slice(0, 8) };
  }

  /** Appends lines in one write. @throws MessageError if it cannot */
  append(lines: readonly RunLine[]): void {
    this.#using((file) => this.#write(file, lines));
  }

  /** Reports to the command. Failing to write is not an error. @param news called only if a command follows the file */
  report(news: () => RunLine): void {
    if (!this.made.isMade) return;
    try {
      this.append([news()]);
    } catch {
      // A failed report must not fail an update.
    }
  }

  /** The lines of other processes since the last call, without their reports. @throws MessageError if one of them cannot be read */
  news(): { readonly pid: number; readonly line: RunLine }[] {
    return this.#using(() => {
      const own = JSON.stringify(this.#writer).slice(0, -1);
      const isNews = (text: string) => !text.startsWith(own) && !REPORT.test(text);
      const { texts, next } = linesSince(this.#reader, this.#read, isNews);
      const news = texts.map((text) => {
        const found = jsonIn(sharedLine, text);
        if (!found) throw new Error("it has a line that this version cannot read");
        const { pid, ...line } = found;
        return { pid, line };
      });
      this.#read = next;
      return news;
    });
  }

  /** Whether another process that wrote to this file still runs. */
  isAlive(pid: number): boolean {
    return pid !== this.processes.own && this.processes.isAlive(pid);
  }

  /**
   * Ends the use of the file: closes it if a command has made it. Otherwise only removes its name. Processes that have
   * opened it, also this one, can still use it, and no other process opens it. Without this, declared values would stay
   * on the disk until the next run.
   */
  end(): void {
    if (this.made.isMade) this.close();
    else if (this.#file) rmSync(this.#file.path, { force: true });
  }

  /** Ends the use of the file by this process. Removes it if no other process uses it. */
  close(): void {
    if (!this.#file) return;
    closeSync(this.#reader);
    this.#file.close();
    opened.delete(this);
    if (!this.made.isMade) removeUnused(this.#file.path, (pid) => this.isAlive(pid));
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
    // After this line, no other process removes the file as unused.
    this.#write(file, [{}]);
    opened.add(this);
    return file;
  }

  #write(file: LineFile, lines: readonly RunLine[]): void {
    const texts = lines.map((line) => JSON.stringify({ ...this.#writer, ...line }));
    // Without the line break before them, a line that a kill cut short would swallow the first of them.
    const written = file.append(`\n${texts.join("\n")}`);
    // Lines of this process need not be read, unless others have written before them.
    if (fstatSync(this.#reader).size === this.#read + written) this.#read += written;
  }
}

const opened = new Set<RunFile>();
process.on("exit", () => {
  for (const file of opened) file.close();
});

/** The file of a run. @param engine address of its engine, if there is one */
export function runFileOf(environment: NodeJS.ProcessEnv, engine: string | undefined): RunFile | undefined {
  const named = environment[RUN_FILE];
  if (named) return new RunFile(() => named, PROCESSES, { isMade: true });
  return engine === undefined ? undefined : new RunFile(once(() => pathOfRun(engine, environment)));
}

/**
 * Makes the file of a run with the declarations of several stacks, so that no stack resets another one's values.
 * @returns the variable that names the file to the providers
 * @throws Error if it cannot
 */
export function writeClaims(
  path: string,
  claims: readonly (readonly [device: DeviceRef, values: Values])[],
): Record<string, string> {
  const words = "another stack of the fleet";
  const lines = claims.map(([{ businessId, deviceId }, values]) =>
    JSON.stringify({ pid: process.pid, claim: { businessId, deviceId, words, values } }),
  );
  const file = new LineFile(path, 0o600);
  file.append(lines.join("\n"));
  file.close();
  return { [RUN_FILE]: path };
}
