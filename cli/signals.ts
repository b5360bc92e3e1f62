import { constants } from "node:os";

/**
 * Has Ctrl-C and its like end this process as `process.exit` does, with the exit code that a shell tells of the signal: what
 * has to be told at the end still is, such as what a ledger has of an update under way. Node by itself tells nothing.
 */
export function exitOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
