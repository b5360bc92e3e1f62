import { constants } from "node:os";

/**
 * Ends this process after Ctrl-C and similar signals by `process.exit`, with a shell's exit code for the signal.
 * Without this, Node would skip exit handlers, and the ledger would lack the update in progress.
 */
export function exitOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
