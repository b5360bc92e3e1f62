import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A connection through a proxy. */
export interface Tunnel {
  /** The host and port that the client asked for. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes that the client sent through it. */
  sent: Buffer;
}

export interface TestProxy {
  readonly url: string;
  readonly tunnels: Tunnel[];
  /** Requests other than CONNECT. */
  readonly requests: string[];
}

/**
 * The reaction of a proxy to a CONNECT: it connects to a port of this machine, whatever the host; it answers with a
 * status; or it does nothing.
 */
export type Conduct = { readonly port: number } | { readonly status: number } | "stalls";

/** Returns a function that starts HTTP proxies on loopback. They are stopped after the test. */
export function proxies(): (conduct: Conduct) => Promise<TestProxy> {
  const running: { server: Server; sockets: Socket[] }[] = [];
  afterEach(() => {
    for (const { server, sockets } of running.splice(0)) {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    }
  });
  return async (conduct) => {
    const tunnels: Tunnel[] = [];
    const requests: string[] = [];
    const sockets: Socket[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.writeHead(400).end();
    });
    server.on("connect", ({ url = "", headers }, client: Socket, head: Buffer) => {
      const tunnel = { target: url, headers, sent: head };
      tunnels.push(tunnel);
      sockets.push(client.on("error", () => {}));
      if (conduct === "stalls") return;
      if ("status" in conduct) {
        client.end(`HTTP/1.1 ${conduct.status} No\r\nContent-Length: 2\r\n\r\n{}`);
        return;
      }
      const upstream = connect(conduct.port, "127.0.0.1", () => client.write("HTTP/1.1 200 Connected\r\n\r\n"));
      sockets.push(upstream.on("error", () => client.destroy()));
      client.on("data", (chunk) => {
        tunnel.sent = Buffer.concat([tunnel.sent, chunk]);
      });
      client.pipe(upstream).pipe(client);
    });
    running.push({ server, sockets });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels, requests };
  };
}
