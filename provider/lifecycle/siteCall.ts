import { type Audience, inGeneral, type Message, MessageError, problemOf, textOf } from "../messages/message";
import type { Names } from "../messages/names";
import { type Group, labelOf, type SiteDevice } from "../settings/site";
import type { Call } from "./call";
import { notBegun } from "./messages";
import { inParallel } from "./pool";
import type { Journal } from "./records";

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
  /** Shows the user something about the site. */
  warn(message: Message): Promise<void>;
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
        if (call.stopping.aborted) throw new NotBegunError();
        await work(device);
      } catch (error) {
        call.failures.add(labelOf(device), error);
      }
      done += 1;
      call.progress(done, devices.length, verb);
    },
    () => false,
  );
}

/** Nothing was sent to a device, as the user stopped the run before its turn. */
export class NotBegunError extends MessageError {
  constructor() {
    super(notBegun());
  }
}

/** Most devices that are named for one cause. */
const MOST_NAMES = 10;

/** Why devices of a site are not as declared. */
export class Failures {
  readonly #causes = new Map<string, { readonly labels: Set<string>; readonly problem: Message }>();

  /** @param onFailure called once for each device that failed */
  constructor(
    private readonly onFailure: (label: string, problem: Message) => void = () => {},
    private readonly names?: Names,
  ) {}

  add(label: string, error: unknown): void {
    const problem = problemOf(error);
    // One outage is one cause, whatever the number of devices that meet it.
    const cause = textOf(inGeneral(problem), { ...this.#audience, isBesideDevice: true });
    const known = this.#causes.get(cause) ?? { labels: new Set(), problem };
    this.#causes.set(cause, known);
    if (known.labels.has(label)) return;
    known.labels.add(label);
    this.onFailure(label, problem);
  }

  get #audience(): Audience {
    return this.names ? { names: this.names } : {};
  }

  has(label: string): boolean {
    return [...this.#causes.values()].some(({ labels }) => labels.has(label));
  }

  get count(): number {
    return [...this.#causes.values()].reduce((sum, { labels }) => sum + labels.size, 0);
  }

  /** A line for each cause, with its devices. */
  reasons(): string[] {
    return [...this.#causes].map(([cause, { labels, problem }]) =>
      labels.size === 1 ? `${namesOf(labels)}: ${textOf(problem, this.#audience)}` : `${namesOf(labels)}: ${cause}`,
    );
  }
}

function namesOf(labels: ReadonlySet<string>): string {
  const named = [...labels].slice(0, MOST_NAMES).join(", ");
  return labels.size > MOST_NAMES ? `${named} and ${labels.size - MOST_NAMES} more` : named;
}
