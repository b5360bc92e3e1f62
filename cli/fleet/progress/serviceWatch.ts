import { ANSWERING, FAILING } from "../../../provider/ledger/runFile";
import { isAlive } from "../engine/holder";
import { RunFileReader } from "./runFile";

/** Follows what the providers of a run report of the service in its file. */
export class ServiceWatch {
  readonly #file: RunFileReader;
  /** By process, since when the service has failed it, in milliseconds of the clock. */
  readonly #failing = new Map<number, number>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    path: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#file = new RunFileReader(path);
  }

  /** How long the service has not answered some provider that is still there, in seconds; undefined if it answers. */
  get failingSeconds(): number | undefined {
    for (const line of this.#file.newLines()) {
      const [word, pid] = line.split(" ");
      if (word === FAILING) this.#failing.set(Number(pid), this.now());
      if (word === ANSWERING) this.#failing.delete(Number(pid));
    }
    for (const pid of this.#failing.keys()) if (!isAlive(pid)) this.#failing.delete(pid);
    const since = Math.min(...this.#failing.values());
    return Number.isFinite(since) ? (this.now() - since) / 1000 : undefined;
  }
}
