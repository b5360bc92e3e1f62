import { closeSync, openSync, readSync, statSync } from "node:fs";
import { stackIn } from "../../provider/ledger/origin";
import { MESSAGE } from "../../provider/ledger/runFile";
import type { RunMessage } from "../../provider/messages/message";
import type { Calls } from "./summary";

/** Follows the lines that the providers of a run append to a file. */
export class RunFileReader {
  #position: number;
  #rest = Buffer.alloc(0);

  /** @param from whether existing lines count */
  constructor(
    private readonly path: string,
    from: "start" | "end" = "start",
  ) {
    this.#position = from === "start" ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** The complete lines since the last call. An incomplete line follows once it is complete. */
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
      return []; // The file does not exist before the first request.
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

/** The reports of providers. */
export interface Reports {
  readonly messages: readonly RunMessage[];
  /** The devices, as `business/device`, to which a provider has sent or tried to send something. */
  readonly sent: readonly string[];
}

/** The requests among lines of a run's file. */
export function callsIn(lines: readonly string[]): Calls {
  const count = (kind: string) => lines.filter((line) => line.startsWith(`${kind} `)).length;
  return { get: count("GET"), patch: count("PATCH"), latest: count("LATEST") };
}

/**
 * The reports about a stack among lines of a run's file. All stacks of a run write to this file. Without the stack, a
 * site that moves would get the failures of the stack that it leaves.
 */
export function reportsIn(lines: readonly string[], stack: string): Reports {
  const after = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const messages = after(MESSAGE).flatMap(wholeMessages);
  const isOwn = ({ urn }: RunMessage) => urn === undefined || stackIn(urn) === `urn:pulumi:${stack}`;
  return { messages: messages.filter(isOwn), sent: after("PATCH") };
}

/** The message in a line; none if a kill cut the line short. */
function wholeMessages(line: string): RunMessage[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
