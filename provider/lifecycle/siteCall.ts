import type { Journal } from "../ledger/journal";
import { ServiceError } from "../service/errors";
import { type Group, labelOf, type SiteDevice } from "../settings/site";
import type { Call } from "./call";
import { inParallel } from "./pool";

/** What one operation of a site works with. */
export interface SiteCall {
  /** What an operation of one of its devices works with. */
  of(group: Group): Call;
  /** Devices that are worked on at the same time. */
  readonly atOnce: number;
  readonly journal: Journal;
  readonly failures: Failures;
  /** The resource; undefined if it is not known. */
  readonly urn: string | undefined;
  /** Shows how far it has come. */
  progress(done: number, of: number, verb: Verb): void;
  /** Aborted when the user stops the run: what has begun is brought to its end, and nothing more is begun. */
  readonly stopping: AbortSignal;
}

type Named = Pick<SiteDevice, "group" | "name">;

/** What has been done with a device, for progress. */
type Verb = "read" | "applied" | "given back";

/** Does something for several devices of a site, side by side. One that fails does not stop the others. */
export async function forEachDevice<D extends Named>(
  call: SiteCall,
  verb: Verb,
  devices: readonly D[],
  work: (device: D) => Promise<void>,
): Promise<void> {
  let done = 0;
  await inParallel(
    devices,
    call.atOnce,
    async (device) => {
      try {
        if (call.stopping.aborted) throw new Error('not begun, as the run was stopped: the next "pulumi up" goes on');
        await work(device);
      } catch (error) {
        call.failures.add(labelOf(device), error as Error);
      }
      done += 1;
      call.progress(done, devices.length, verb);
    },
    () => false,
  );
}

/** Most devices that are named for one cause. */
const MOST_NAMES = 10;

/** Why devices of a site are not as declared. */
export class Failures {
  readonly #causes = new Map<string, { readonly labels: string[]; readonly error: Error }>();

  add(label: string, error: Error): void {
    // One outage is one cause, whatever the number of devices that meet it.
    const cause = error instanceof ServiceError ? JSON.stringify([error.reason, error.advice]) : error.message;
    const known = this.#causes.get(cause) ?? { labels: [], error };
    this.#causes.set(cause, known);
    if (!known.labels.includes(label)) known.labels.push(label);
  }

  has(label: string): boolean {
    return [...this.#causes.values()].some(({ labels }) => labels.includes(label));
  }

  get count(): number {
    return [...this.#causes.values()].flatMap(({ labels }) => labels).length;
  }

  /** A line for each cause, with its devices. */
  reasons(): string[] {
    return [...this.#causes.values()].map(({ labels, error }) => {
      if (labels.length === 1 || !(error instanceof ServiceError)) return `${namesOf(labels)}: ${error.message}`;
      return `${namesOf(labels)}: ${error.reason}. ${error.advice}`;
    });
  }
}

function namesOf(labels: readonly string[]): string {
  const named = labels.slice(0, MOST_NAMES).join(", ");
  return labels.length > MOST_NAMES ? `${named} and ${labels.length - MOST_NAMES} more` : named;
}
