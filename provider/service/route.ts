import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { FAILURE_OF_PROXY_ADDRESS, type ServiceFailure } from "./errors";

/** The way to a server. */
export interface Route {
  /** The agent that keeps the connections. */
  readonly agent: HttpAgent;
  /** The address of the proxy, without credentials; undefined if there is none. */
  readonly proxy: string | undefined;
  /** Makes later requests use new connections. Requests in flight finish on the old ones. */
  renew(): void;
}

/** Returns the same route for every URL of an origin. */
export type Router = (url: string) => Promise<Route | ServiceFailure>;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The time in milliseconds after which an idle connection is closed (our choice). Without it, a process that serves
 * many runs would keep the connections of all runs, up to the limit of open files.
 */
const LONGEST_IDLE = 5000;

const KEPT = { keepAlive: true, timeout: LONGEST_IDLE };

/** Whether a URL's host is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * Makes routes according to the environment: through HTTPS_PROXY (or ALL_PROXY), except for the hosts in NO_PROXY and
 * for loopback.
 */
export function makeRouter(): Router {
  const routes = new Map<string, Promise<Route | ServiceFailure>>();
  return (url) => {
    const { origin } = new URL(url);
    const route = routes.get(origin) ?? routeTo(new URL(origin));
    routes.set(origin, route);
    return route;
  };
}

async function routeTo({ protocol, origin }: URL): Promise<Route | ServiceFailure> {
  const Agent = protocol === "https:" ? HttpsAgent : HttpAgent;
  const straight = routeOver(() => new Agent(KEPT));
  const proxy = await proxyFor(origin);
  return proxy ? await routeThrough(proxy) : straight;
}

/**
 * The address of the proxy for this origin; empty if there is none, as for loopback. Without a scheme, it is http, as in
 * curl.
 */
export async function proxyFor(origin: string): Promise<string> {
  if (isLoopback(new URL(origin).hostname)) return "";
  const { getProxyForUrl } = await import("proxy-from-env");
  const proxy = getProxyForUrl(origin);
  // Without a scheme, the library would add that of the origin, and the TLS greeting to a proxy that speaks http would
  // hang.
  const [, bare] = /^https:\/\/(.*)/.exec(proxy) ?? [];
  const isBare = Object.entries(process.env).some(
    ([name, value]) => /(https|all|config)_proxy$/i.test(name) && value === bare,
  );
  return isBare ? `http://${bare}` : proxy;
}

async function routeThrough(proxy: string): Promise<Route | ServiceFailure> {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return FAILURE_OF_PROXY_ADDRESS;
  const { HttpsProxyAgent } = await import("https-proxy-agent");
  return routeOver(() => {
    const agent = new HttpsProxyAgent(url, KEPT);
    // Without this, a proxy's refusal, such as a 404, would count as the service's answer.
    agent.on("proxyConnect", ({ statusCode }: { statusCode: number }, request: { destroy(error: Error): void }) => {
      const refusal = Object.assign(new Error("the proxy does not connect"), { code: `PROXY_${statusCode}` });
      if (statusCode !== 200) request.destroy(refusal);
    });
    return agent;
  }, url.origin);
}

function routeOver(connect: () => HttpAgent, proxy?: string): Route {
  let agent = connect();
  return {
    get agent() {
      return agent;
    },
    proxy,
    renew() {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
      agent.maxFreeSockets = 0; // Without this, connections that are in use now would later stay open.
      agent = connect();
    },
  };
}
