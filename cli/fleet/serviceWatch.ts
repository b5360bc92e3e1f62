import { closeSync, openSync, readSync } from "node:fs";
import { isAlive } from "./lock";

/** Follows what the providers of a run report of the service in the file of SOLAR_CHARGING_CALLS_FILE. */
export class ServiceWatch {
  #read = 0;
  #rest = "";
  /** By process, since when the service has failed it, in milliseconds of the clock. */
  readonly #failing = new Map<number, number>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly file: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** How long the service has not answered some provider that is still there, in seconds; undefined if it answers. */
  get failingSeconds(): number | undefined {
    for (const line of this.#newLines()) {
      const [word, pid] = line.split(" ");
      if (word === "FAILING") this.#failing.set(Number(pid), this.now());
      if (word === "ANSWERING") this.#failing.delete(Number(pid));
    }
    for (const pid of this.#failing.keys()) if (!isAlive(pid)) this.#failing.delete(pid);
    const since = Math.min(...this.#failing.values());
    return Number.isFinite(since) ? (this.now() - since) / 1000 : undefined;
  }

  #newLines(): string[] {
    const lines = `${this.#rest}${this.#newText()}`.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }

  #newText(): string {
    let file: number;
    try {
      file = openSync(this.file, "r");
    } catch {
      return ""; // No request was made yet.
    }
    try {
      const chunk = Buffer.alloc(65_536);
      let text = "";
      for (;;) {
        const count = readSync(file, chunk, 0, chunk.length, this.#read);
        if (count === 0) return text;
        this.#read += count;
        text += chunk.toString("latin1", 0, count);
      }
    } finally {
      closeSync(file);
    }
  }
}
