import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import nodeFetch from "node-fetch";
import { type Settings, type Simulator, startSimulator } from "solar-charging-simulator";
import { ACCESS_TOKEN, CLIENT_SECRET } from "../../support/canaries";
import { echoesOf, secretOf } from "../../support/echo";
import type { Certified } from "../../support/tls";

export const BUSINESS = "acme";

/** Path below the service's address at which an OAuth client with CLIENT_SECRET gets the access token. */
export const TOKEN_PATH = "/token";

/** One request that meets a fault. */
export interface Exchange {
  readonly service: FaultyService;
  readonly deviceId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Body of a PATCH, empty for a GET. */
  readonly body: string;
  /** Number of requests that have met the fault, including this one. */
  readonly count: number;
  readonly echo: Echo;
  /** Makes the service carry out the request. */
  carryOut(): Promise<Answer>;
}

/** The request's credentials, for an answer that repeats them. */
export interface Echo {
  /**
   * The Authorization header or the secret in it, in one of many forms. The next fault of the service uses another
   * form.
   */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The treatment of a request in place of the service's answer. */
export type Fault = (exchange: Exchange) => unknown;

export interface FaultyServiceOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** The certificate, if the service uses TLS. */
  readonly certificate?: Certified;
  /** Index of the form in its first echo. */
  readonly firstEcho?: number;
}

/** The simulator behind a server that can treat requests like a network, a gateway or a failing service. */
export class FaultyService {
  /** The requests that arrived, by method. A POST asks for a token. */
  readonly requests = { GET: 0, PATCH: 0, POST: 0 };
  /** Requests to another server, which follow a redirect. */
  requestsElsewhere = 0;
  /** The largest number of bytes of one answer that left for the client. */
  largestAnswer = 0;
  #fault: { readonly method: string; readonly happens: Fault } | undefined;
  #count = 0;

  private constructor(
    readonly simulator: Simulator,
    private readonly server: Server,
    private readonly elsewhere: Server,
    private echoes: number,
  ) {}

  static async start({ port = 0, certificate, firstEcho = 0 }: FaultyServiceOptions = {}): Promise<FaultyService> {
    const simulator = await startSimulator({ fleet: { token: ACCESS_TOKEN, businesses: { [BUSINESS]: {} } } });
    const server = certificate ? createTlsServer(certificate) : createServer();
    const service = new FaultyService(simulator, server, createServer(), firstEcho);
    server.on("request", (request, response) => service.#answer(request, response).catch(() => response.destroy()));
    service.elsewhere.on("request", (_, response) => {
      service.requestsElsewhere += 1;
      response.end();
    });
    // Without this, the server could close an idle connection just as the client sends on it.
    server.keepAliveTimeout = 0;
    for (const [each, at] of [
      [server, port],
      [service.elsewhere, 0],
    ] as const) {
      await new Promise<void>((listening) => each.listen(at, "127.0.0.1", listening));
    }
    return service;
  }

  get url(): string {
    return `${"setSecureContext" in this.server ? "https" : "http"}://127.0.0.1:${portOf(this.server)}`;
  }

  get urlElsewhere(): string {
    return `http://localhost:${portOf(this.elsewhere)}`;
  }

  device(deviceId: string): Settings {
    return this.simulator.device(BUSINESS, deviceId);
  }

  /** From now on, requests of this method meet the fault. "every" means all requests about devices. */
  begin(method: string, happens: Fault): void {
    this.#fault = { method, happens };
    this.#count = 0;
  }

  /** Ends the fault. */
  end(): void {
    this.#fault = undefined;
  }

  /** Accepts no more connections. */
  refuse(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.refuse();
    this.elsewhere.close();
    this.elsewhere.closeAllConnections();
    await this.simulator.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method as "GET" | "PATCH" | "POST";
    this.requests[method] += 1;
    let body = "";
    for await (const chunk of request) body += chunk;
    const carryOut = () => (method === "POST" ? grant(request) : this.#carryOut(request, body));
    const fault = this.#fault;
    if (fault && (fault.method === method || (fault.method === "every" && method !== "POST"))) {
      this.#count += 1;
      const deviceId = request.url?.split("/").at(-1) ?? "";
      const echo = this.#nextEcho(request);
      await fault.happens({ service: this, deviceId, request, response, body, count: this.#count, echo, carryOut });
    } else {
      await passOn({ response, carryOut });
    }
  }

  #nextEcho({ headers: { authorization = "" } }: IncomingMessage): Echo {
    const forms = echoesOf(authorization);
    this.echoes += 1;
    const token = encodeURIComponent(secretOf(authorization));
    return {
      text: forms[(this.echoes - 1) % forms.length] as string,
      headers: {
        "x-echo": authorization,
        "set-cookie": `token=${token}`,
        "www-authenticate": `Bearer realm="${token}"`,
      },
    };
  }

  async #carryOut({ method, url, headers }: IncomingMessage, body: string): Promise<Answer> {
    const { authorization = "", "content-type": type } = headers;
    const answer = await nodeFetch(this.simulator.url + url, {
      method: method as string,
      headers: { authorization, ...(type && { "content-type": type }) },
      ...(body && { body }),
    });
    return { status: answer.status, body: await answer.text() };
  }
}

/** The answer of a token endpoint. Its tokens expire so early that every request of the client needs a new one. */
async function grant({ headers: { authorization = "" } }: IncomingMessage): Promise<Answer> {
  if (secretOf(authorization) !== CLIENT_SECRET)
    return { status: 401, body: JSON.stringify({ error: "invalid_client" }) };
  return { status: 200, body: JSON.stringify({ access_token: ACCESS_TOKEN, token_type: "Bearer", expires_in: 0 }) };
}

/** No fault: the service's own answer. */
export async function passOn({ response, carryOut }: Pick<Exchange, "response" | "carryOut">): Promise<void> {
  const { status, body } = await carryOut();
  response.writeHead(status, body ? { "content-type": "application/json" } : {}).end(body);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
