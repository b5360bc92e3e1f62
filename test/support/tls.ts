import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";

/** A certificate and its key, as PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

const EC = { keyType: "ec", algorithm: "sha256" } as const;

/** A certificate authority that nobody trusts yet. */
export async function makeAuthority(): Promise<Certified> {
  const { cert, private: key } = await generate([{ name: "commonName", value: "test authority" }], {
    ...EC,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  return { cert, key };
}

/** The claims of a server's certificate. */
export interface Claims {
  /** Default: the certificate signs itself. */
  readonly authority?: Certified;
  readonly names?: readonly string[];
  /** Default: 127.0.0.1. */
  readonly address?: string;
  /** Default: valid for a day. It begins two days ago. */
  readonly isExpired?: boolean;
}

const DAY_MS = 86_400_000;

/** The certificate of a server. Made for each run, because certificates in a repository expire. */
export async function certify(claims: Claims): Promise<Certified> {
  const { authority, names = [], address: ip = "127.0.0.1", isExpired = false } = claims;
  const altNames = names.map((value) => ({ type: 2 as const, value }));
  const { cert, private: key } = await generate([{ name: "commonName", value: "test server" }], {
    ...EC,
    extensions: [{ name: "subjectAltName", altNames: [...altNames, { type: 7, ip }] }],
    notBeforeDate: new Date(Date.now() - 2 * DAY_MS),
    notAfterDate: new Date(Date.now() + (isExpired ? -DAY_MS : DAY_MS)),
    ...(authority && { ca: authority }),
  });
  return { cert, key };
}

/** Returns a function that starts HTTPS servers on loopback. They are stopped after the test. @returns the port */
export function tlsServers(): (certified: Certified, listener: RequestListener) => Promise<number> {
  const running: Server[] = [];
  afterEach(() => {
    for (const server of running.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });
  return async (certified, listener) => {
    const server = createServer(certified, listener);
    // Without this, the server could close an idle connection just as the client sends on it.
    server.keepAliveTimeout = 0;
    running.push(server);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return (server.address() as AddressInfo).port;
  };
}
