import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { toId } from "../../provider/lifecycle/state";
import type { DeviceRef } from "../../provider/service/device";
import type { Values } from "../../provider/settings/setting";

/** What was read of a device: its settings, and nothing that tells whose it is. */
export interface Reading extends DeviceRef {
  /** What type the device says that it is of, where it does. */
  readonly type?: string | undefined;
  readonly reported: Values;
}

/** What readings depend on, beside the device, and which command read them: those of another source are not used. */
export interface Source {
  readonly baseUrl: string | undefined;
  readonly inverterFields: Readonly<Record<string, string>> | undefined;
  /** Tells the list and the manifest from others. */
  readonly command: string;
}

/** What an earlier run has read. */
export interface Taken {
  /** Of how many devices. */
  readonly count: number;
  /** When the first of them was read, in milliseconds since 1970. */
  readonly since: number;
}

/** Longest time for which a reading stands in for a read, in milliseconds (our choice): settings change. */
const LIFETIME = 3_600_000;

const line = z.object({
  time: z.number(),
  businessId: z.string(),
  deviceId: z.string(),
  type: z.string().optional(),
  reported: z.record(z.string(), z.union([z.number(), z.string()])),
});

/** The readings of an adoption that was cut short, so that the next one reads only the rest: a file of JSON lines. */
export class Journal {
  readonly #readings = new Map<string, { readonly time: number; readonly reading: Reading }>();

  /** Takes what is usable of an earlier run; a file of another source is begun anew. @throws Error where it cannot be written */
  constructor(
    readonly file: string,
    source: Source,
    private readonly now: () => number = Date.now,
  ) {
    const head = JSON.stringify(source);
    const [first, ...rest] = textOf(file).split("\n");
    if (first === head) for (const text of rest) this.#take(text);
    this.#write(() => {
      // A line that a kill left unfinished ends here.
      if (first === head) appendFileSync(file, "\n");
      else writeFileSync(file, `${head}\n`);
    });
  }

  find(device: DeviceRef): Reading | undefined {
    return this.#readings.get(toId(device))?.reading;
  }

  /** What of these devices is known without a read; undefined where it is nothing. */
  taken(devices: readonly DeviceRef[]): Taken | undefined {
    const times = devices.flatMap((device) => this.#readings.get(toId(device))?.time ?? []);
    if (times.length === 0) return undefined;
    return { count: times.length, since: times.reduce((first, time) => Math.min(first, time)) };
  }

  /** @throws Error where it cannot be written */
  add(reading: Reading): void {
    const time = this.now();
    this.#readings.set(toId(reading), { time, reading });
    this.#write(() => appendFileSync(this.file, `${JSON.stringify({ time, ...reading })}\n`));
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }

  #write(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new Error(`${this.file} cannot be written: ${(error as Error).message}`);
    }
  }

  #take(text: string): void {
    try {
      const { time, ...reading } = line.parse(JSON.parse(text));
      if (time > this.now() - LIFETIME) this.#readings.set(toId(reading), { time, reading });
    } catch {
      // A line that was cut short is a device that is read again.
    }
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
