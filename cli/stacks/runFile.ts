import { closeSync, existsSync, openSync, statSync } from "node:fs";
import type { Done } from "../../provider/ledger/done";
import { linesSince } from "../../provider/ledger/lineFile";
import type { RunLine } from "../../provider/ledger/runFile";
import type { RunMessage } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/urn";
import { isObject } from "../../provider/settings/objects";
import { parsedJson } from "../files";
import type { Calls } from "./summary";

/** Follows the lines that the providers of a run append to a file. */
export class RunFileReader {
  #position: number;

  /** @param from whether existing lines count */
  constructor(
    private readonly path: string,
    from: "start" | "end" = "start",
  ) {
    this.#position = from === "start" ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }

  /**
   * The complete lines since the last call. An incomplete line follows once it is complete, or never after a kill.
   * @param isMeant picks lines by their text. Without it, each stack would parse the states of all stacks
   */
  news(isMeant: (text: string) => boolean = () => true): RunLine[] {
    if (!existsSync(this.path)) return []; // Before the first request.
    const file = openSync(this.path, "r");
    try {
      const { texts, next } = linesSince(file, this.#position);
      this.#position = next;
      return texts.filter(isMeant).map(parsedJson).filter(isObject) as object[] as RunLine[];
    } finally {
      closeSync(file);
    }
  }
}

/** Whether a line is of a stack, or of none. */
export function isOfStack(stack: string): (text: string) => boolean {
  return (text) => !text.includes('"done":') || text.includes(`"urn":"urn:pulumi:${stack}::`);
}

/** The requests among lines of a run's file. */
export function callsIn(lines: readonly RunLine[]): Calls {
  const count = (kind: string) => lines.filter(({ request }) => request === kind).length;
  return { get: count("GET"), patch: count("PATCH"), latest: count("LATEST") };
}

/** The reports of providers about a stack. */
export interface Reports {
  readonly messages: readonly RunMessage[];
  readonly done: readonly Done[];
}

/**
 * The reports about one stack. All stacks of a run write to the same file. Without the stack, a site that moves would
 * get the outcome of the stack that it leaves.
 */
export function reportsIn(lines: readonly RunLine[], stack: string): Reports {
  const isOwn = (urn: string) => partsOf(urn).stack === stack;
  return {
    messages: lines.flatMap(({ message }) => (message && (!message.urn || isOwn(message.urn)) ? [message] : [])),
    done: lines.flatMap(({ done }) => (done?.urn && isOwn(done.urn) ? [done] : [])),
  };
}
