import { isAlive } from "../../provider/ledger/placeOfRun";
import { RunFileReader } from "../stacks/runFile";

/** Follows the state of the service, which the providers of a run write to its file. */
export class ServiceWatch {
  readonly #file: RunFileReader;
  /** By process, the time since which the service has failed it, in milliseconds of the clock. */
  readonly #failing = new Map<number, number>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    path: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#file = new RunFileReader(path);
  }

  /** Seconds since the service stopped answering a running provider; undefined if it answers. */
  get failingSeconds(): number | undefined {
    for (const { pid, isFailing } of this.#file.news((text) => text.includes('"isFailing":'))) {
      if (isFailing) this.#failing.set(pid, this.now());
      if (isFailing === false) this.#failing.delete(pid);
    }
    for (const pid of this.#failing.keys()) if (!isAlive(pid)) this.#failing.delete(pid);
    const since = Math.min(...this.#failing.values());
    return Number.isFinite(since) ? (this.now() - since) / 1000 : undefined;
  }
}
