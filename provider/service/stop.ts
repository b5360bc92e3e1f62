/** Returns the result of `work`. If the signal aborts before that, it rejects at once with the signal's reason. */
export async function untilStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Waits for a time. If the signal aborts first, it rejects with the signal's reason, and clears its timer. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const passed = () =>
    new Promise<void>((wake) => {
      timer = setTimeout(wake, ms);
    });
  await untilStopped(signal, passed).finally(() => clearTimeout(timer));
}
