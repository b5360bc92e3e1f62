import type { Message } from "../messages/message";
import { isFailure, retrying, type ServiceFailure } from "./errors";
import type { Gate } from "./gate";
import { sleep } from "./stop";

/**
 * First and longest pause between two tries, in milliseconds (our choice). Each pause is a random part of its length.
 */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;

/** The shortest time for a try, in milliseconds. Hardly any service would answer in less. */
const SHORTEST_TRY = 1000;

/** Number of failed tries before the warning about retries. */
const TRIES_IN_SILENCE = 3;

export interface RetryOptions {
  readonly requestTimeoutSeconds: number;
  readonly retryTimeoutSeconds: number;
  /** Called with a warning if the request takes long. */
  readonly onRetry: (warning: Message) => void;
}

/** The next try of a request. */
export interface Turn {
  /** The time that the next try may still wait before it begins, in milliseconds. This wait counts as retry time. */
  waitable(): number;
  /** Marks the start of the try. @returns its time limit, in seconds */
  begin(): number;
}

/**
 * Calls `attempt` until it succeeds, fails permanently, or the next pause would exceed `retryTimeoutSeconds`. Returns
 * its last result. A failure can ask for a shorter limit. If the last try had less than `requestTimeoutSeconds` and
 * timed out, the failure before it is returned, because that says more about the service. Pauses grow exponentially
 * with full jitter, and are never shorter than a `Retry-After`. Each try waits for a slot; this wait does not count,
 * because our own queue is not the service's time.
 */
export async function retryWhileTransient<T extends object>(
  { requestTimeoutSeconds, retryTimeoutSeconds, onRetry }: RetryOptions,
  signal: AbortSignal,
  slots: Pick<Gate, "pass">,
  attempt: (turn: Turn) => Promise<T | ServiceFailure>,
): Promise<T | ServiceFailure> {
  let tries = 0;
  let timeoutSeconds = requestTimeoutSeconds;
  let failure: ServiceFailure | undefined;
  let begin = performance.now();
  let limitSeconds = retryTimeoutSeconds;
  const left = () => Math.max(0, begin + limitSeconds * 1000 - performance.now());
  const turn: Turn = {
    waitable: () => (tries === 0 ? Math.max(requestTimeoutSeconds * 1000, left()) : left() - SHORTEST_TRY),
    begin: () => {
      // A try can begin late, for example after the process was suspended.
      const rest = Math.max(left(), SHORTEST_TRY) / 1000;
      tries += 1;
      if (tries > 1) timeoutSeconds = Math.min(requestTimeoutSeconds, rest);
      return timeoutSeconds;
    },
  };
  for (;;) {
    const queued = performance.now();
    const result = await slots.pass(async () => {
      signal.throwIfAborted();
      begin += performance.now() - queued;
      return await attempt(turn);
    });
    if (!isFailure(result) || !result.transient) return result;
    const isCutShort = result.code === "timeout" && timeoutSeconds < requestTimeoutSeconds;
    if (!isCutShort || !failure) failure = result;
    limitSeconds = Math.min(retryTimeoutSeconds, result.retrySeconds ?? retryTimeoutSeconds);
    const drawn = Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1));
    const pause = Math.max(drawn, result.retryAfterMs ?? 0);
    if (pause + SHORTEST_TRY > left()) return failure;
    if (tries === TRIES_IN_SILENCE) onRetry(retrying(failure, limitSeconds));
    await sleep(pause, signal);
  }
}

/**
 * Milliseconds to wait according to a `Retry-After` header, which has seconds or a date; undefined if it is invalid.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : date - now;
  return wait > 0 && Number.isFinite(wait) ? wait : undefined; // The digits can exceed the range of numbers.
}
