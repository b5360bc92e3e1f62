/** The signals of a run. */
export interface Interruption {
  /** Aborted at the first signal: no more stacks start, and running ones save their progress. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** The signals of Ctrl-C, of pipelines and service managers, and of a terminal that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Watches for Ctrl-C and similar signals. A second signal ends this process and its engines immediately, without
 * saving. A closing terminal is an exception: it sends its signal several times and accepts no output.
 */
export function interruption(): Interruption {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    if (signal === "SIGHUP") for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
    if (controller.signal.aborted && signal !== "SIGHUP") process.exit(130);
    if (controller.signal.aborted) return;
    controller.abort();
    console.error("Interrupted. Saving progress; press Ctrl-C again to stop immediately");
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    stop: () => {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    },
  };
}
