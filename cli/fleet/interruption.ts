/** What a run listens to. */
export interface Interruption {
  /** Aborted at the first signal: nothing more is begun, and what is under way is saved. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** Ctrl-C, what a pipeline or a service manager sends, and what a terminal sends that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Watches for Ctrl-C and its like; a second one ends this process at once, and its engines without saving. A terminal that is
 * closed sends its signal more than once, by itself and by its shell, and takes nothing that is printed.
 */
export function interruption(): Interruption {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    if (signal === "SIGHUP") for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
    if (controller.signal.aborted && signal !== "SIGHUP") process.exit(130);
    if (controller.signal.aborted) return;
    controller.abort();
    console.error("interrupted: saving what is under way; once more ends at once");
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    stop: () => {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    },
  };
}
