import { closeSync, openSync, readSync, statSync } from "node:fs";
import { PROBLEM, type Problem } from "../../../provider/ledger/runFile";
import type { Calls } from "../outcome/summary";

/** Follows the lines that the providers of a run append to a file. */
export class RunFileReader {
  #position: number;
  #rest = Buffer.alloc(0);

  /** @param from whether lines that are there already count */
  constructor(
    private readonly path: string,
    from: "start" | "end" = "start",
  ) {
    this.#position = from === "start" ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** The lines since the last call. One that is half written comes once it is whole. */
  newLines(): string[] {
    const bytes = Buffer.concat([this.#rest, ...this.#newChunks()]);
    const end = bytes.lastIndexOf("\n") + 1;
    this.#rest = bytes.subarray(end);
    return end === 0 ? [] : bytes.toString("utf8", 0, end - 1).split("\n");
  }

  #newChunks(): Buffer[] {
    let file: number;
    try {
      file = openSync(this.path, "r");
    } catch {
      return []; // No request was made yet.
    }
    try {
      const chunks: Buffer[] = [];
      for (;;) {
        const chunk = Buffer.alloc(65_536);
        const count = readSync(file, chunk, 0, chunk.length, this.#position);
        if (count === 0) return chunks;
        this.#position += count;
        chunks.push(chunk.subarray(0, count));
      }
    } finally {
      closeSync(file);
    }
  }
}

/** The requests among lines of a run's file. */
export function callsIn(lines: readonly string[]): Calls {
  const count = (kind: string) => lines.filter((line) => line === kind).length;
  return { get: count("GET"), patch: count("PATCH"), latest: count("LATEST") };
}

/** The problems among lines of a run's file. */
export function problemsIn(lines: readonly string[]): Problem[] {
  return lines
    .filter((line) => line.startsWith(`${PROBLEM} `))
    .map((line) => JSON.parse(line.slice(PROBLEM.length + 1)) as Problem);
}
