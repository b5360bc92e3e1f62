import { randomUUID } from "node:crypto";
import { appendFileSync, closeSync, openSync, readSync } from "node:fs";
import { sleep } from "./stop";

/** 61 s: the extra second keeps a request that leaves late within the service's limit of a minute. */
const MINUTE = 61_000;

/**
 * The time in milliseconds since this machine started, the same in all its processes. With the usual clock, requests
 * would stop for an hour if somebody sets the clock back by an hour.
 */
function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Spaces requests evenly, so that no minute has more requests than allowed, over all processes with the same file. */
export class Pace {
  readonly #interval: number;
  /** The earliest time of the next request, on the `clock`. */
  #next = 0;
  #offset = 0;
  #rest = "";

  /** @param file default: the limit is for this process alone */
  constructor(
    perMinute: number,
    private readonly file?: string | undefined,
  ) {
    this.#interval = MINUTE / perMinute;
  }

  /** Resolves when the next request may be sent. Rejects if the signal aborts first. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = clock();
    const at = this.file === undefined ? this.#slot(now) : this.#slotIn(this.file, now);
    if (at > now) await sleep(at - now, signal);
  }

  /**
   * The time at which a request may be sent.
   * @param askedAt the time at which the caller asked for it
   */
  #slot(askedAt: number): number {
    const at = Math.max(this.#next, askedAt);
    this.#next = at + this.#interval;
    return at;
  }

  /**
   * `#slot` for several processes. Each process appends a line per request, and computes the same times from the lines
   * in their order.
   */
  #slotIn(file: string, now: number): number {
    const own = randomUUID();
    // The line begins like those of the other files in the folder, so that a later run can check whether its writer
    // still runs. The line break in front ends an earlier line that a kill or a full disk may have cut short.
    appendFileSync(file, `\n{"pid":${process.pid},"at":${now},"id":"${own}"}\n`);
    let at = now;
    for (const { at: askedAt, id } of this.#newLines(file).flatMap(requestIn)) {
      const slot = this.#slot(askedAt);
      if (id === own) at = slot;
    }
    return at;
  }

  #newLines(file: string): string[] {
    const descriptor = openSync(file, "r");
    try {
      const chunk = Buffer.alloc(65_536);
      for (let count = 1; count > 0; ) {
        count = readSync(descriptor, chunk, 0, chunk.length, this.#offset);
        this.#offset += count;
        this.#rest += chunk.toString("latin1", 0, count);
      }
    } finally {
      closeSync(descriptor);
    }
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }
}

/** The request in a line; undefined for an empty line, and for a line that a kill or a full disk cut short. */
function requestIn(line: string): { readonly at: number; readonly id: string }[] {
  try {
    const { at, id } = JSON.parse(line);
    return Number.isFinite(at) ? [{ at, id }] : [];
  } catch {
    return [];
  }
}
