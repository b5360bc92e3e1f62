import { closeSync, openSync, readSync, statSync } from "node:fs";
import { stackIn } from "../../provider/ledger/origin";
import type { OutcomeOperation, SiteOutcome } from "../../provider/ledger/outcome";
import { DEVICE, MESSAGE, SITE } from "../../provider/ledger/runFile";
import type { RunMessage } from "../../provider/messages/message";
import { parsedJson } from "../files";
import type { Outcome } from "./outcome";
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

/** The requests among lines of a run's file. */
export function callsIn(lines: readonly string[]): Calls {
  const count = (kind: string) => lines.filter((line) => line.startsWith(`${kind} `)).length;
  return { get: count("GET"), patch: count("PATCH"), latest: count("LATEST") };
}

/** The outcome of an operation on a site. */
export interface SiteReport {
  readonly urn: string;
  readonly operation: OutcomeOperation;
  readonly site: SiteOutcome;
  readonly devices: readonly Outcome[];
}

/** The reports of providers about a stack. */
export interface Reports {
  readonly messages: readonly RunMessage[];
  readonly outcomes: readonly SiteReport[];
}

/**
 * Follows the reports about one stack. All stacks of a run write to the same file. Without the stack, a site that moves
 * would get the outcome of the stack that it leaves.
 */
export class StackReports {
  /** By site, the devices whose site's line is not here yet. */
  readonly #devices = new Map<string, Outcome[]>();

  constructor(
    private readonly file: Pick<RunFileReader, "newLines">,
    private readonly stack: string,
  ) {}

  /** The reports since the last call. */
  next(): Reports {
    const [messages, outcomes] = [[] as RunMessage[], [] as SiteReport[]];
    for (const line of this.file.newLines()) {
      const word = line.slice(0, line.indexOf(" "));
      // A kill can cut a line short.
      const data = KINDS.includes(word) ? (parsedJson(line.slice(word.length + 1)) as Data | undefined) : undefined;
      if (!data || (data.urn !== undefined && stackIn(data.urn) !== `urn:pulumi:${this.stack}`)) continue;
      if (word === MESSAGE) messages.push(data as unknown as RunMessage);
      else if (data.urn !== undefined) outcomes.push(...this.#take(word, data.urn, data));
    }
    return { messages, outcomes };
  }

  #take(word: string, urn: string, { urn: _, operation, ...data }: Data): SiteReport[] {
    const devices = this.#devices.get(urn) ?? [];
    if (word === DEVICE) {
      devices.push(data as unknown as Outcome);
      this.#devices.set(urn, devices);
      return [];
    }
    this.#devices.delete(urn);
    return [{ urn, operation: operation as OutcomeOperation, site: data as unknown as SiteOutcome, devices }];
  }
}

const KINDS: readonly string[] = [MESSAGE, DEVICE, SITE];

interface Data extends Readonly<Record<string, unknown>> {
  readonly urn?: string;
}
