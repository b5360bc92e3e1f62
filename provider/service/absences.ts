import { isFailure } from "./errors";

/** From how many devices on it is about the address, and not about a device, that most are not known (our choice). */
const FEWEST_DEVICES = 2;

/**
 * Whether devices that answer 404 are gone. Behind a wrong address every device answers so: without this, a refresh would
 * empty the state, and a delete would lose what devices were before. So a device counts as gone only as long as not most
 * devices of the run do, or it is the only one.
 */
export class Absences {
  readonly #known = new Set<string>();
  readonly #unknown = new Set<string>();
  #asking = 0;
  #onAnswer: (() => void)[] = [];

  /** Takes in that a device is asked for. @returns has to be called when that is over, whatever came of it */
  ask(): () => void {
    this.#asking += 1;
    return () => {
      this.#asking -= 1;
      for (const look of this.#onAnswer.splice(0)) look();
    };
  }

  /** Takes in what a request for a device came to. */
  learn(device: string, result: object): void {
    if (!isFailure(result)) {
      this.#unknown.delete(device);
      this.#known.add(device);
    } else if (result.isGone) {
      this.#known.delete(device);
      this.#unknown.add(device);
    }
  }

  /** Whether a device that is not known is gone. Waits for answers that are on their way, if they can change that. */
  async areBelieved(): Promise<boolean> {
    while (this.#isMost && this.#asking > 0) await new Promise<void>((look) => this.#onAnswer.push(look));
    return !this.#isMost || this.#unknown.size < FEWEST_DEVICES;
  }

  get #isMost(): boolean {
    return this.#unknown.size > this.#known.size;
  }
}
