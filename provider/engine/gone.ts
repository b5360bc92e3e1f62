import { connect } from "node:http2";

/** Longest time, in milliseconds, between a connection that is lost and the next (our choice). */
const RECONNECT_AFTER = 100;

/**
 * Ends this process when its engine is gone. A killed engine leaves its provider behind, which would write to devices
 * while the user's next run is under way already. A request under way is given up: nobody can learn its outcome any more.
 */
export function endWithEngine(address: string): void {
  const engine = connect(`http://${address}`);
  engine.unref();
  engine.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "ECONNREFUSED") process.exit(1);
  });
  // An engine may close an idle connection and live on: only a refusal proves that it is gone.
  engine.on("connect", () => {
    engine.on("close", () => setTimeout(endWithEngine, RECONNECT_AFTER, address).unref());
  });
}
