import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { toId } from "../../provider/handlers/state";
import type { DeviceRef } from "../../provider/service/device";
import type { Values } from "../../provider/settings/setting";
import { makeWorkFolder } from "../workFolder";

/** What was read of a device: its settings, and nothing that tells whose it is. */
export interface Reading extends DeviceRef {
  /** What type the device says that it is of, where it does. */
  readonly type?: string | undefined;
  readonly reported: Values;
}

/** What readings depend on, beside the device: those of another source are not used. */
export interface Source {
  readonly baseUrl: string | undefined;
  readonly inverterFields: Readonly<Record<string, string>> | undefined;
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
  readonly #readings = new Map<string, Reading>();

  /** Takes what is usable of an earlier run; a file of another source is begun anew. @throws Error where it cannot be written */
  constructor(
    readonly file: string,
    source: Source,
    private readonly now: () => number = Date.now,
  ) {
    const head = JSON.stringify(source);
    const [first, ...rest] = textOf(file).split("\n");
    if (first === head) for (const text of rest) this.#take(text);
    makeWorkFolder(dirname(file));
    // A line that a kill left unfinished ends here.
    if (first === head) appendFileSync(file, "\n");
    else writeFileSync(file, `${head}\n`);
  }

  find(device: DeviceRef): Reading | undefined {
    return this.#readings.get(toId(device));
  }

  add(reading: Reading): void {
    this.#readings.set(toId(reading), reading);
    appendFileSync(this.file, `${JSON.stringify({ time: this.now(), ...reading })}\n`);
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }

  #take(text: string): void {
    try {
      const { time, ...reading } = line.parse(JSON.parse(text));
      if (time > this.now() - LIFETIME) this.#readings.set(toId(reading), reading);
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
