import type { Store } from "../../ledger/store";
import { type Audience, inGeneral, type Message, MessageError, problemOf, textOf } from "../../messages/message";
import type { DeviceRef } from "../../service/device";
import { firstNames } from "../../settings/explain";
import { labelOf, type Place } from "../../settings/groups";
import { withBaselines } from "../device/baselines";
import type { Call } from "../device/call";
import { NOT_BEGUN } from "../run/messages";
import { inParallel } from "../run/pool";
import type { SecretInputs } from "../run/secretInputs";
import type { StoredDevice } from "./state";

/** The context of one operation of a site. */
export interface SiteCall {
  /** The name of the site. */
  readonly name: string;
  /** The context for an operation of one of its devices. */
  of(place: Place): Call;
  /** Number of devices that are processed at the same time. */
  readonly atOnce: number;
  readonly store: Store;
  readonly failures: Failures;
  /** The resource; undefined if it is not known. */
  readonly urn: string | undefined;
  /** Shows a warning about the site as a whole. */
  warn(message: Message): Promise<void>;
  /** Shows the progress of the site. */
  progress(done: number, of: number, verb: Verb): void;
  /** Aborted when the user stops the run: devices in progress are finished, and no other is started. */
  readonly stopping: AbortSignal;
}

/** The current step of a device, for progress. */
type Verb = "read" | "applied" | "released";

/** The result of a task for one device. */
interface DeviceResult<T> {
  /** False if the user stopped the run before. */
  readonly isBegun: boolean;
  readonly value?: T;
  /** The reason why there is no value. */
  readonly error?: unknown;
}

/** Runs a task for several devices of a site in parallel. A failed one does not stop the others. */
export async function forEachDevice<D extends Place & DeviceRef, T>(
  call: SiteCall,
  verb: Verb,
  devices: readonly D[],
  work: (device: D) => Promise<T>,
): Promise<Map<D, DeviceResult<T>>> {
  let done = 0;
  const settle = async (device: D): Promise<DeviceResult<T>> => {
    const isBegun = !call.stopping.aborted;
    try {
      if (!isBegun) throw new MessageError(NOT_BEGUN);
      return { isBegun, value: await work(device) };
    } catch (error) {
      call.failures.add(device, error);
      return { isBegun, error };
    } finally {
      done += 1;
      call.progress(done, devices.length, verb);
    }
  };
  const results = await inParallel(devices, call.atOnce, settle, () => false);
  return new Map(devices.map((device, index) => [device, results[index] as DeviceResult<T>]));
}

/** The devices of a site with the baselines from before our first update. */
export function devicesWithBaselines({ store }: SiteCall, devices: readonly StoredDevice[]): StoredDevice[] {
  return devices.map((stored) => (stored.observe ? stored : withBaselines(store, stored)));
}

/** Maximum number of devices that are named for one cause. */
const MOST_NAMES = 10;

/** One reason, with its devices and the different words of the service. */
interface Cause {
  readonly labels: Set<string>;
  readonly problem: Message;
  readonly extracts: Set<string>;
}

/** The reasons why devices of a site are not as declared. */
export class Failures {
  readonly #causes = new Map<string, Cause>();

  /** @param onFailure called for each device that failed */
  constructor(
    private readonly onFailure: (device: DeviceRef, problem: Message) => void,
    private readonly audience: Audience,
    private readonly secrets: SecretInputs,
  ) {}

  /** @param failed by its name and its ids, because one that leaves can have the name of one that joins */
  add(failed: Place & DeviceRef, error: unknown): void {
    const label = labelOf(failed);
    const own = problemOf(error);
    // The path of a secret has the name in the site, which also stands before each reason.
    const { device: _, ...hidden } = this.secrets.hidden({ ...own, device: label });
    const problem = own.device ? { ...hidden, device: own.device } : hidden;
    // One outage is one cause, however many devices it affects.
    const cause = textOf(inGeneral(problem), this.audience);
    const known = this.#causes.get(cause) ?? { labels: new Set(), problem, extracts: new Set() };
    this.#causes.set(cause, known);
    if (problem.extract) known.extracts.add(problem.extract);
    known.labels.add(label);
    this.onFailure(failed, { ...problem, device: label });
  }

  has(label: string): boolean {
    return [...this.#causes.values()].some(({ labels }) => labels.has(label));
  }

  /** A line for each cause, with its devices. */
  reasons(): string[] {
    return [...this.#causes.values()].map(({ labels, problem, extracts }) => {
      const own = labels.size === 1 ? problem : inGeneral(problem, extracts);
      return `${firstNames([...labels], MOST_NAMES)}: ${textOf(own, this.audience)}`;
    });
  }
}
