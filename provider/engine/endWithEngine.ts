import { type ClientHttp2Session, connect } from "node:http2";

/** Time, in milliseconds, between a lost connection and the next attempt (our choice). */
const RECONNECT_AFTER = 100;

/** The parts of a watch that a test replaces. */
interface Watch {
  /** Called once, when the engine is gone. Default: ends this process. */
  readonly end?: (() => void) | undefined;
  /** Opens a connection. */
  readonly open?: (url: string) => ClientHttp2Session;
}

/**
 * Ends this process when its engine is gone. Without this, the provider of a killed engine would still write to
 * devices during the user's next run. A request in flight is aborted, because nobody could receive its outcome.
 */
export function endWithEngine(address: string, watch: Watch = {}): void {
  const { end = () => process.exit(1), open = connect } = watch;
  const engine = open(`http://${address}`);
  engine.unref();
  let isGone = false;
  // Only a refused connection proves that the engine is gone. A running engine may close an idle connection, and errors
  // such as too many open files have other causes.
  engine.on("error", ({ code }: NodeJS.ErrnoException) => {
    isGone = code === "ECONNREFUSED";
    if (isGone) end();
  });
  engine.on("close", () => {
    if (!isGone) setTimeout(endWithEngine, RECONNECT_AFTER, address, watch).unref();
  });
}
