import { DelegateBackoff, handleWhen, retry } from "cockatiel";
import { ServiceError } from "./errors";

/** First and longest pause between two tries, in milliseconds (our choice); each is drawn from 0 to its length. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;

/**
 * Calls `attempt` until it succeeds, fails for good, or the time is up. Pauses grow exponentially with full jitter;
 * a `Retry-After` is kept to, and one that points past the end is not waited for.
 * @param timeoutSeconds longest time for all tries, in seconds
 */
export async function retryWhileTransient<T>(
  timeoutSeconds: number,
  signal: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = Date.now() + timeoutSeconds * 1000;
  const mayRetry = (error: Error) =>
    error instanceof ServiceError && error.transient && Date.now() + (error.retryAfterMs ?? 0) < end;
  const policy = retry(handleWhen(mayRetry), {
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: new DelegateBackoff(({ attempt, result }) => {
      const retryAfterMs = "error" in result && result.error instanceof ServiceError && result.error.retryAfterMs;
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1), end - Date.now());
      return retryAfterMs || Math.random() * pause;
    }),
  });
  return await policy.execute(({ signal }) => attempt(signal), signal);
}

/** Milliseconds to wait by a `Retry-After` header, which gives seconds or a date; undefined where it says nothing usable. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
