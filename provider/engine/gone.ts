import { connect } from "node:http2";

/** Longest time, in milliseconds, between a lost connection and the next attempt (our choice). */
const RECONNECT_AFTER = 100;

/**
 * Ends this process when its engine is gone. Without this, the provider of a killed engine would still write to
 * devices during the user's next run. A request in flight is aborted, because nobody could receive its outcome.
 */
export function endWithEngine(address: string): void {
  const engine = connect(`http://${address}`);
  engine.unref();
  engine.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "ECONNREFUSED") process.exit(1);
  });
  // An engine may close an idle connection and stay alive: only a refused connection proves that it is gone.
  engine.on("connect", () => {
    engine.on("close", () => setTimeout(endWithEngine, RECONNECT_AFTER, address).unref());
  });
}
