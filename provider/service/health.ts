import { isFailure, type ServiceFailure, waitInWords } from "./errors";

/** The service counts as failing if so many devices fail without a success in between (our choice). */
const FEWEST_DEVICES = 3;

/** Shortest time without a success that is an outage, in milliseconds (our choice). */
const SHORTEST_OUTAGE = 30_000;

/** Time after a failure, in milliseconds, until the next request tests whether the outage is over (our choice). */
const PROBE_PAUSE = 15_000;

/** Pause of all requests after a 429 without `Retry-After`, in milliseconds (our choice). */
const USUAL_HOLD = 1000;

/** Longest pause of all requests, in milliseconds, if the answers of only a few devices ask for it (our choice). */
const LONGEST_HOLD_BY_FEW = 15_000;

/** The reason why a request is not sent, and the next step. */
type OutageRefusal = Pick<ServiceFailure, "code" | "reason" | "advice" | "keys" | "extract">;

interface Trouble {
  readonly since: number;
  readonly devices: Set<string>;
  failures: number;
  nextProbe: number;
  last: Cause;
}

/** The parts of a failure that a refusal repeats. */
type Cause = Pick<ServiceFailure, "reason" | "keys" | "extract">;

/**
 * The health of the service. All requests of a process share it, so that no request makes an outage worse.
 *
 * An outage begins when several devices have only failed for as long as one request is retried. Then requests are
 * refused, except for a test from time to time. The first answer to any request ends the outage.
 *
 * A `Retry-After`, or a 429, pauses all requests. If several devices' answers ask for a pause, it is as long as they
 * ask; otherwise it is short. Without that limit, one device that asks for a day's wait would fail all others.
 */
export class Health {
  readonly #shortestOutage: number;
  #trouble: Trouble | undefined;
  #held: { until: number; by: Cause } = { until: 0, by: { reason: "" } };
  /** Devices whose answers asked to wait, without a success between them. */
  readonly #asking = new Set<string>();

  /** @param onTurn called when requests begin to fail, and when one succeeds again */
  constructor(
    retryTimeoutSeconds: number,
    private readonly onTurn: (isFailing: boolean) => void = () => {},
  ) {
    this.#shortestOutage = Math.max(retryTimeoutSeconds * 1000, SHORTEST_OUTAGE);
  }

  /**
   * Waits while requests are paused.
   * @returns the reason if the request may not be sent: an outage, or a pause longer than `longestWait`, in
   * milliseconds
   */
  async refusal(longestWait: number): Promise<OutageRefusal | undefined> {
    const end = performance.now() + longestWait;
    for (;;) {
      const now = performance.now();
      const outage = this.#outageAt(now);
      if (outage && now < outage.nextProbe) return refusalOf(outage, now);
      if (now >= this.#held.until) {
        if (outage) outage.nextProbe = now + PROBE_PAUSE;
        return undefined;
      }
      const { until, by } = this.#held;
      if (until > end) {
        return refusalOfHold(until - now, by);
      }
      await new Promise((pass) => setTimeout(pass, until - now));
    }
  }

  /** Records the result of a request for a device. */
  learn(device: string, result: object): void {
    const wasFailing = this.#trouble !== undefined;
    this.#take(device, result);
    const isFailing = this.#trouble !== undefined;
    if (isFailing !== wasFailing) this.onTurn(isFailing);
  }

  #take(device: string, result: object): void {
    const now = performance.now();
    if (!isFailure(result)) {
      this.#trouble = undefined;
      this.#asking.clear();
      return;
    }
    const { status = 500, transient, retryAfterMs = status === 429 ? USUAL_HOLD : 0 } = result;
    if (retryAfterMs > 0) this.#asking.add(device);
    const hold = this.#asking.size < FEWEST_DEVICES ? Math.min(retryAfterMs, LONGEST_HOLD_BY_FEW) : retryAfterMs;
    if (now + hold > Math.max(now, this.#held.until)) this.#held = { until: now + hold, by: result };
    if (status < 500) this.#trouble = undefined;
    if (status < 500 || !transient) return;
    this.#trouble ??= { since: now, devices: new Set(), failures: 0, nextProbe: 0, last: result };
    this.#trouble.devices.add(device);
    this.#trouble.failures += 1;
    this.#trouble.last = result;
    this.#trouble.nextProbe = now + PROBE_PAUSE;
  }

  #outageAt(now: number): Trouble | undefined {
    const { since = now, devices } = this.#trouble ?? {};
    return devices && devices.size >= FEWEST_DEVICES && now - since >= this.#shortestOutage ? this.#trouble : undefined;
  }
}

export function refusalOfHold(milliseconds: number, { reason: last, keys = [], extract }: Cause): OutageRefusal {
  // The service may not have asked for it: see USUAL_HOLD.
  const reason = `requests pause ${waitInWords(milliseconds, Date.now())}, after the answer ${last}`;
  const advice = "Run the same command again after that, or set {maxRequestsPerMinute}";
  return { code: "onHold", reason, advice, keys: ["maxRequestsPerMinute", ...keys], ...(extract && { extract }) };
}

export function refusalOf(
  { since, failures, devices, last, nextProbe }: Readonly<Trouble>,
  now: number,
): OutageRefusal {
  const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
  const { reason, keys, extract } = last;
  return {
    code: "outage",
    reason:
      `the service has failed for ${seconds(now - since)}: ${failures} requests in a row for ${devices.size} devices. ` +
      `The provider sends no request for ${seconds(nextProbe - now)}, then tries again. Last failure: ${reason}`,
    advice: "Check that the service runs, then run the same command again",
    ...(keys && { keys }),
    ...(extract && { extract }),
  };
}
