/** How long a handler that was told to stop may take to say what it knows, in milliseconds. */
const GRACE = 5000;

/** Longest message of an error, in characters (our choice); the longest of ours has some hundred. */
const LONGEST_MESSAGE = 4000;

/**
 * Runs a handler so that the engine always gets an answer: whatever is thrown becomes an `Error` with a message, and a
 * call that does not end is given up after `seconds`.
 */
export async function guarded<T>(
  operation: string,
  seconds: number,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const tooLong = new Error(`${operation} gave up after ${seconds} s`);
  const timers: NodeJS.Timeout[] = [];
  const end = new Promise<never>((_, reject) => {
    timers.push(setTimeout(() => stop.abort(tooLong), seconds * 1000));
    timers.push(setTimeout(() => reject(tooLong), seconds * 1000 + GRACE));
  });
  try {
    return await Promise.race([Promise.resolve(stop.signal).then(work), end]);
  } catch (error) {
    throw toError(operation, error);
  } finally {
    timers.forEach(clearTimeout);
  }
}

function toError(operation: string, thrown: unknown): Error {
  const isError = thrown instanceof Error && thrown.message !== "";
  const error = isError
    ? thrown
    : new Error(`${operation} failed: ${typeof thrown === "string" ? thrown : "no reason was given"}`);
  error.message = printable(error.message);
  return error;
}

/** One line that the engine can take: the host's RPC never ends with one that is very long or ill-formed Unicode. */
function printable(message: string): string {
  return message
    .slice(0, LONGEST_MESSAGE)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, " ");
}
