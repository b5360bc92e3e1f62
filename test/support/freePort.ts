import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port of loopback below the range of the system's free ports. Without this, the server of another test could get
 * the port before ours listens, or while ours has to be down.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 30_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isFree ? port : freePort();
}
