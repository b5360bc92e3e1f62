import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One answer: its parts, or a function that writes it. */
export type Reply =
  | { status?: number; statusText?: string; headers?: Record<string, string>; body?: string }
  | ((response: ServerResponse, received: Received) => void);

/** No answer at all: the connection is closed. */
export const hangsUp: Reply = (response) => response.destroy();

/** The head of an answer and the beginning of its body; then the connection is closed. */
export function breaksOff(status: number): Reply {
  return (response) => {
    response.writeHead(status, { "content-length": "100" }).write("{", () => response.destroy());
  };
}

/** An answer without a length. Its end is visible only because the connection closes. */
export function withoutLength(body: string): Reply {
  return (response) => response.socket?.end(`HTTP/1.1 200 OK\r\n\r\n${body}`);
}

export interface TestServer {
  readonly url: string;
  readonly received: Received[];
}

/**
 * Returns a function that starts plain HTTP servers on loopback. They are stopped after the test. The last reply is
 * repeated.
 */
export function servers(): (...replies: [Reply, ...Reply[]]) => Promise<TestServer> {
  const running: Server[] = [];
  afterEach(() => {
    for (const server of running.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  return async (...replies) => {
    const received: Received[] = [];
    const server = createServer(async (request, response) => {
      const last = await receive(request);
      received.push(last);
      send(response, replies[Math.min(received.length, replies.length) - 1] as Reply, last);
    });
    // Without this, the server could close an idle connection just as the client sends on it.
    server.keepAliveTimeout = 0;
    running.push(server);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
  };
}

async function receive(request: IncomingMessage): Promise<Received> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
}

function send(response: ServerResponse, reply: Reply, received: Received): void {
  if (typeof reply === "function") {
    reply(response, received);
    return;
  }
  const { status = 200, statusText, headers = {}, body = "" } = reply;
  response.writeHead(status, statusText, headers).end(body);
}
