import { isFailure } from "./errors";

/** Minimum number of unknown devices that suggest a wrong address instead of a missing device (our choice). */
const FEWEST_DEVICES = 2;

/**
 * Decides whether devices that answer 404 are gone. At a wrong address, every device answers 404. Without this, a
 * refresh would then empty the state, and a delete would lose the baselines. So unknown devices count as gone only if
 * they are not most devices of the run, or if the run has only one device.
 */
export class Absences {
  readonly #known = new Set<string>();
  readonly #unknown = new Set<string>();
  #asking = 0;
  #onAnswer: (() => void)[] = [];

  /** Registers a request for a device. @returns a function to call when the request is over, whatever its outcome */
  ask(): () => void {
    this.#asking += 1;
    return () => {
      this.#asking -= 1;
      for (const look of this.#onAnswer.splice(0)) look();
    };
  }

  /** Records the result of a request for a device. */
  learn(device: string, result: object): void {
    if (!isFailure(result)) {
      this.#unknown.delete(device);
      this.#known.add(device);
    } else if (result.isGone) {
      this.#known.delete(device);
      this.#unknown.add(device);
    }
  }

  /** Whether an unknown device is gone. Waits for pending answers if they can change that. */
  async areBelieved(): Promise<boolean> {
    while (this.#isMost && this.#asking > 0) await new Promise<void>((look) => this.#onAnswer.push(look));
    return !this.#isMost || this.#unknown.size < FEWEST_DEVICES;
  }

  get #isMost(): boolean {
    return this.#unknown.size > this.#known.size;
  }
}
