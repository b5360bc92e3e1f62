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

/** The certificate of a server of these names, and of 127.0.0.1. */
export async function certify(authority: Certified, ...names: string[]): Promise<Certified> {
  const altNames = names.map((value) => ({ type: 2 as const, value }));
  const { cert, private: key } = await generate([{ name: "commonName", value: "test server" }], {
    ...EC,
    ca: authority,
    extensions: [{ name: "subjectAltName", altNames: [...altNames, { type: 7, ip: "127.0.0.1" }] }],
  });
  return { cert, key };
}

/** A function that starts HTTPS servers on loopback, which are stopped after the test. @returns the port */
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
    running.push(server);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return (server.address() as AddressInfo).port;
  };
}
