import { on } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Message, MessageError } from "../../../provider/messages/message";
import type { DeviceStep } from "../progress/tally";
import type { ExistingStack } from "../rollout/plan";
import { isWhole, notRun, notRunning, type RunStack, type StackResult, type StackTask } from "../stack";
import { ON_DEMAND } from "./settings";

/** The arguments of a thread. */
export interface ThreadData {
  readonly fleet: string;
  /** Where the fleet's project is. */
  readonly folder: string;
  /** The variables of the engine's processes, beside the environment of this one. */
  readonly env: Record<string, string>;
}

export type Request = "list" | StackTask;
export type ToThread = "interrupt" | Request;

/** What a thread reports: each device that is read or is through, and in the end an answer. */
export type FromThread = { readonly step: DeviceStep } | Answer;

/** What was asked for, or why it could not be had. */
export interface Answer {
  readonly stacks?: readonly ExistingStack[];
  readonly result?: StackResult;
  readonly error?: Message;
}

/**
 * Threads in which stacks are run, as many as run at a time. A thread has the programs of its stacks in it, one after the
 * other, so that no program has to be started and loaded for each stack; and no two at a time, as the SDK takes what one
 * throws for an error of all that are in its thread.
 */
export class StackThreads {
  readonly #threads = new Set<Worker>();
  readonly #idle = new Set<Worker>();
  readonly #stacks = new Set<string>();
  /** Stacks that had resources before this run: what a run has just made need not be read. */
  readonly #filled = new Set<string>();

  /** @param signal has the engines save what is under way, and end */
  constructor(
    private readonly data: ThreadData,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => {
      for (const thread of this.#threads) thread.postMessage("interrupt");
    });
  }

  /** The stacks that there are. @throws Error if the engine is not there, or its backend cannot be asked */
  async list(): Promise<readonly ExistingStack[]> {
    const { stacks = [], error } = await this.#ask("list");
    if (error !== undefined) throw new MessageError(error);
    for (const { name, isEmpty } of stacks) {
      this.#stacks.add(name);
      if (!isEmpty) this.#filled.add(name);
    }
    return stacks;
  }

  readonly run: RunStack = async (stack, operation, { onDevice, refresh = false, ...given }) => {
    const isNew = !this.#stacks.has(stack);
    const options = { ...given, refresh: refresh && this.#filled.has(stack) };
    this.#stacks.add(stack); // The canary's stack has a part in a later wave too.
    const { result, error = notRunning("its thread gave no answer") } = await this.#ask(
      { ...options, stack, operation, isNew },
      onDevice,
    );
    return result ?? notRun(stack, error);
  };

  async #ask(request: Request, onDevice?: (step: DeviceStep) => void): Promise<Answer> {
    const [thread = this.#start()] = this.#idle;
    this.#idle.delete(thread);
    thread.ref();
    thread.postMessage(request);
    try {
      for await (const [message] of on(thread, "message", { close: ["exit"] }) as AsyncIterable<[FromThread]>) {
        if ("step" in message) onDevice?.(message.step);
        else {
          // What a program that failed leaves behind could fail the next one.
          if (!message.result || isWhole(message.result)) this.#idle.add(thread);
          else void thread.terminate();
          return message;
        }
      }
      return { error: notRunning("its thread ended") };
    } catch (error) {
      return { error: notRunning(`its thread ended: ${(error as Error).message}`) };
    } finally {
      thread.unref();
    }
  }

  #start(): Worker {
    const thread = new Worker(join(__dirname, "stackThread.js"), {
      workerData: this.data,
      execArgv: [...process.execArgv, "--require", ON_DEMAND],
    });
    this.#threads.add(thread);
    thread.once("exit", () => {
      this.#threads.delete(thread);
      this.#idle.delete(thread);
    });
    thread.on("error", () => {}); // Whoever waits for an answer gets it.
    if (this.signal.aborted) thread.postMessage("interrupt");
    return thread;
  }
}
