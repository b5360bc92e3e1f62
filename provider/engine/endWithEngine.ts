import { type ClientHttp2Session, connect } from "node:http2";

/** Time, in milliseconds, between a lost connection and the next attempt (our choice). */
const RECONNECT_AFTER = 100;

/**
 * Ends this process when its engine is gone. Without this, the provider of a killed engine would still write to
 * devices during the user's next run. A request in flight is aborted, because nobody could receive its outcome.
 * @param open opens a connection
 */
export function endWithEngine(address: string, open: (url: string) => ClientHttp2Session = connect): void {
  const engine = open(`http://${address}`);
  engine.unref();
  // Only a refused connection proves that the engine is gone. An engine that runs may close an idle connection, and
  // other errors, such as too many open files, have other causes.
  engine.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "ECONNREFUSED") process.exit(1);
  });
  engine.on("close", () => setTimeout(endWithEngine, RECONNECT_AFTER, address, open).unref());
}
