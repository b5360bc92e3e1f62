import { constants } from "node:os";

/**
 * Has Ctrl-C and its like end this process as `process.exit` does, with the exit code that a shell gives the signal: what
 * is left for the end is still done, such as a ledger's line of an update under way. Node by itself does nothing then.
 */
export function exitOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
