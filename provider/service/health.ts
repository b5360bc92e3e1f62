import { type Failure, isFailure } from "./errors";

/**
 * From how many devices on, without a success between them, failures are the service's and not a device's (our choice).
 */
const FEWEST_DEVICES = 3;

/** Shortest time in which nothing succeeds that is an outage, in milliseconds (our choice): a blip is none. */
const SHORTEST_OUTAGE = 30_000;

/** Time after a failure, in milliseconds, in which nobody asks whether an outage is over (our choice). */
const PROBE_PAUSE = 15_000;

/** How long all requests wait after a 429 that does not say, in milliseconds (our choice). */
const UNSAID_HOLD = 1000;

/** Longest pause of all requests for the answers of fewer devices, in milliseconds (our choice). */
const LONGEST_HOLD_BY_FEW = 15_000;

/** Why a request is not sent, and what to do about it. */
export type Refusal = Pick<Failure, "code" | "reason" | "advice" | "keys">;

interface Trouble {
  readonly since: number;
  readonly devices: Set<string>;
  failures: number;
  nextProbe: number;
  last: Cause;
}

/** As much of a failure as a refusal repeats. */
type Cause = Pick<Failure, "reason" | "keys">;

/**
 * The health of the service as all requests of a process see it, so that no request makes an outage worse.
 *
 * In an outage, when nothing but failures came from several devices for as long as one request is retried, requests are
 * refused. One is let through from time to time, and the first answer of any request ends the outage.
 * A `Retry-After`, or a 429, pauses all requests: for a short time if one device's answer says so, and for as long as it
 * says if the answers of several devices do. Without that limit, one device that asks to wait a day would fail all others.
 */
export class Health {
  readonly #shortestOutage: number;
  #trouble: Trouble | undefined;
  #held: { until: number; by: Cause } = { until: 0, by: { reason: "" } };
  /** Devices whose answers asked to wait, without a success between them. */
  readonly #asking = new Set<string>();

  /** @param onTurn called when requests begin to fail, and when one is answered again */
  constructor(
    retryTimeoutSeconds: number,
    private readonly onTurn: (isFailing: boolean) => void = () => {},
  ) {
    this.#shortestOutage = Math.max(retryTimeoutSeconds * 1000, SHORTEST_OUTAGE);
  }

  /**
   * Waits while requests are paused. @returns why none may be sent: an outage, or a wait longer than this, in
   * milliseconds
   */
  async admit(longestWait: number): Promise<Refusal | undefined> {
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

  /** Takes in what a request for a device came to. */
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
    const { status = 500, transient, retryAfterMs = status === 429 ? UNSAID_HOLD : 0 } = result;
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

export function refusalOfHold(milliseconds: number, { reason: last, keys = [] }: Cause): Refusal {
  const reason = `the service asks to wait ${Math.ceil(milliseconds / 1000)} s, last: ${last}`;
  const advice = "Run the same command again after that, or lower {maxConcurrency}";
  return { code: "onHold", reason, advice, keys: ["maxConcurrency", ...keys] };
}

export function refusalOf({ since, failures, devices, last, nextProbe }: Readonly<Trouble>, now: number): Refusal {
  const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
  return {
    code: "outage",
    reason:
      `the service has failed for ${seconds(now - since)}, ${failures} times in a row for ${devices.size} devices, ` +
      `last: ${last.reason}; it is asked again in ${seconds(nextProbe - now)}`,
    advice: "Check that the service runs, then run the same command again",
    ...(last.keys && { keys: last.keys }),
  };
}
