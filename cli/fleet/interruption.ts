/** What a run listens to. */
export interface Interruption {
  /** Aborted at the first Ctrl-C or SIGTERM: nothing more is begun. */
  readonly signal: AbortSignal;
  /** Aborted where the engines have to be told to save what is under way and end. */
  readonly engines: AbortSignal;
  stop(): void;
}

/**
 * Watches for Ctrl-C and SIGTERM; a second one ends this process at once. A terminal's Ctrl-C reaches the engines by
 * itself, and to be told once more would end them without saving.
 */
export function interruption(): Interruption {
  const begun = new AbortController();
  const engines = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    if (begun.signal.aborted) process.exit(130);
    console.error("interrupted: saving what is under way; once more ends at once");
    begun.abort();
    if (signal !== "SIGINT" || !process.stdin.isTTY) engines.abort();
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  return {
    signal: begun.signal,
    engines: engines.signal,
    stop: () => void process.off("SIGINT", interrupt).off("SIGTERM", interrupt),
  };
}
