import { DelegateBackoff, handleWhenResult, retry } from "cockatiel";
import { type Failure, isFailure } from "./errors";

/** First and longest pause between two tries, in milliseconds (our choice); each is drawn from 0 to its length. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;

/** What each try has at least, in milliseconds: less would end in a time-out that hides the real failure. */
const SHORTEST_TRY = 1000;

/** How many tries fail before the user is told that there will be more. */
const TRIES_IN_SILENCE = 3;

export interface RetryOptions {
  readonly requestTimeoutSeconds: number;
  readonly retryTimeoutSeconds: number;
  /** Told why, when it takes long. */
  readonly onRetry: (reason: string) => void;
}

/** One try, as `attempt` sees it. */
export interface Turn {
  /** How long the try, whose turn it is, may still wait before it begins, in milliseconds. That counts as retry time. */
  waitable(): number;
  /** Says that the try begins. @returns the longest time that it may take, in seconds */
  begin(): number;
}

/**
 * Calls `attempt` until it succeeds, fails for good, or the next pause would outlast `retryTimeoutSeconds`, and gives its
 * last result. Pauses grow exponentially with full jitter, and are never shorter than a `Retry-After`.
 */
export async function retryWhileTransient<T extends object>(
  { requestTimeoutSeconds, retryTimeoutSeconds, onRetry }: RetryOptions,
  signal: AbortSignal,
  attempt: (turn: Turn) => Promise<T | Failure>,
): Promise<T | Failure> {
  signal.throwIfAborted();
  let tries = 0;
  let end: number | undefined;
  let pause = 0;
  const left = () => {
    end ??= performance.now() + retryTimeoutSeconds * 1000;
    return Math.max(0, end - performance.now());
  };
  const turn: Turn = {
    waitable: () => {
      const rest = left();
      return tries === 0 ? Math.max(requestTimeoutSeconds * 1000, rest) : rest - SHORTEST_TRY;
    },
    begin: () => {
      // A try can begin late, as after the process was stopped.
      const rest = Math.max(left(), SHORTEST_TRY) / 1000;
      tries += 1;
      return tries === 1 ? requestTimeoutSeconds : Math.min(requestTimeoutSeconds, rest);
    },
  };
  const mayRetry = (result: T | Failure) => {
    if (!isFailure(result) || !result.transient) return false;
    const drawn = Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1));
    pause = Math.max(drawn, result.retryAfterMs ?? 0);
    const fits = pause + SHORTEST_TRY <= left();
    if (fits && tries === TRIES_IN_SILENCE) onRetry(result.reason);
    return fits;
  };
  const policy = retry(
    handleWhenResult((result) => mayRetry(result as T | Failure)),
    {
      maxAttempts: Number.POSITIVE_INFINITY,
      backoff: new DelegateBackoff(() => pause),
    },
  );
  // The policy's pauses do not heed the signal.
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([policy.execute(() => attempt(turn), signal), stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Milliseconds to wait by a `Retry-After` header, which gives seconds or a date; undefined where it says nothing usable. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : date - now;
  return wait > 0 && Number.isFinite(wait) ? wait : undefined; // Digits may give more than a number can be.
}
