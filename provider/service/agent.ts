import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL's host is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Keeps the connections to the server of a URL. */
export function agentFor(url: string): HttpAgent {
  const Agent = url.startsWith("https:") ? HttpsAgent : HttpAgent;
  return new Agent({ keepAlive: true });
}
