import type { IncomingMessage } from "node:http";
import { HTTPException } from "hono/http-exception";

const MAX_BYTES = 64 * 1024;

/**
 * The text of a request body; 413 above 64 KiB (our choice: the service documents no limit). Reads Node's request,
 * because Hono's bodyLimit fails on chunked bodies unless the adapter replaces the process's global Request.
 */
export async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The rest is left unread rather than destroyed, so that the refusal can still be sent.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new HTTPException(413, { message: `a body may have ${MAX_BYTES} bytes at most` });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
