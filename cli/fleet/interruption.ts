/**
 * Watches for Ctrl-C and SIGTERM: the first aborts the signal, on which the engines save what is under way and end; the
 * second ends this process at once. From a terminal, the engines get Ctrl-C themselves, and a second would kill them.
 */
export function interruption(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    console.error("interrupted: saving what is under way; once more ends at once");
    controller.abort();
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  return {
    signal: controller.signal,
    stop: () => void process.off("SIGINT", interrupt).off("SIGTERM", interrupt),
  };
}
