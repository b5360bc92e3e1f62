import { closeSync, openSync, statSync } from "node:fs";
import type { Done } from "../../provider/ledger/done";
import { linesSince } from "../../provider/ledger/lineFile";
import type { RunLine } from "../../provider/ledger/runFile";
import type { RunMessage } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/names";
import { isObject } from "../../provider/settings/objects";
import { parsedJson } from "../files";

/** A line, and the process that wrote it. */
type Line = RunLine & { readonly pid: number };

/** Follows the lines that the providers of a run append to its file. */
export class RunFileReader {
  #position: number;

  /** @param from whether existing lines count */
  constructor(
    private readonly path: string,
    from: "start" | "end" = "start",
  ) {
    this.#position = from === "start" ? 0 : statSync(path).size;
  }

  /**
   * The complete lines since the last call. An incomplete line follows once it is complete, or never after a kill.
   * @param isMeant picks lines by their text. Without it, each stack would parse the states of all stacks
   */
  news(isMeant: (text: string) => boolean): Line[] {
    const file = openSync(this.path, "r");
    try {
      const { texts, next } = linesSince(file, this.#position, isMeant);
      this.#position = next;
      return texts.map(parsedJson).filter(isObject) as object[] as Line[];
    } finally {
      closeSync(file);
    }
  }
}

/** Whether a line has a message, or what a stack has done. */
export function isAbout(stack: string): (text: string) => boolean {
  return (text) => text.includes(text.includes('"done":') ? `"urn":"urn:pulumi:${stack}::` : '"message":');
}

/** The requests among lines of a run's file. */
export function callsIn(lines: readonly RunLine[]) {
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
