import type { Agent, ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import nodeFetch, { FetchError, type Response } from "node-fetch";
import {
  askedToWait,
  FAILURE_OF_TWICE,
  failureOfConnection,
  failureOfContent,
  failureOfStatus,
  failureOfTimeout,
  isFailure,
  type RequestOperation,
  type ServiceFailure,
  through,
} from "./errors";
import { extractOf } from "./extract";
import { parseRetryAfter } from "./retry";
import { isLoopback, type Route } from "./route";

/**
 * Largest answer of the device service that is read, in bytes (our choice). A device object has a few hundred bytes.
 */
const LARGEST_BODY = 1024 * 1024;

interface HttpRequest {
  readonly url: string;
  /** The configuration key of the address, for messages. */
  readonly key: string;
  readonly method: "GET" | "PATCH" | "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly route: Route;
  /** Time limit for the whole answer, in seconds. */
  readonly timeoutSeconds: number;
  /** Largest answer that is read, in bytes. Default: that of the device service. */
  readonly largestBody?: number;
  /** Called when the message is sent. */
  readonly onSend?: () => void;
  /** Stops the exchange, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly response: Response;
  readonly body: string;
  /** The address of the proxy, if any. */
  readonly proxy: string | undefined;
}

/** Sends one message, and returns its answer with any status. Follows no redirect, and does not retry. */
export async function send(message: HttpRequest): Promise<Reply | ServiceFailure> {
  const { url, key, method, headers, body, route, timeoutSeconds, onSend, signal } = message;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, timeoutSeconds * 1000);
  signal?.addEventListener("abort", abort);
  onSend?.();
  const { agent, isConnected } = watched(route.agent, new URL(url).protocol);
  try {
    const response = await nodeFetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      agent,
      redirect: "manual",
      signal: stop.signal,
    });
    // The body of a failure may break off. That of a success may not, because the missing part may report a failure.
    const text = bodyText(response, message.largestBody);
    const whole = response.ok ? await text : await text.catch(() => "");
    signal?.throwIfAborted();
    return { response, body: whole, proxy: route.proxy };
  } catch (error) {
    signal?.throwIfAborted();
    const { origin: target, hostname } = new URL(url);
    const failure = stop.signal.aborted
      ? failureOfTimeout(timeoutSeconds)
      : failureOfConnection(error, { target, key, isLocal: isLoopback(hostname), proxy: route.proxy });
    return through(route.proxy, { ...failure, isUnsent: !isConnected() });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * An agent for one request. It knows whether the request got a connection. Without this, an update that waited for a
 * proxy's connection in vain would count as one that may have been applied.
 */
function watched(agent: Agent, protocol: string): { readonly agent: Agent; isConnected(): boolean } {
  let isConnected = false;
  const addRequest = (request: ClientRequest, ...options: unknown[]) => {
    request.once("socket", (socket: Socket & { readonly secureConnecting?: boolean }) => {
      isConnected = !(socket.secureConnecting ?? socket.connecting);
      if (isConnected) return;
      socket.once(protocol === "https:" ? "secureConnect" : "connect", () => {
        isConnected = true;
      });
    });
    (agent as Agent & { addRequest(...call: unknown[]): void }).addRequest(request, ...options);
  };
  return { agent: Object.create(agent, { addRequest: { value: addRequest } }), isConnected: () => isConnected };
}

const decoder = new TextDecoder();

/** Replaces `response.text()`, which takes more CPU time because it reads through an async iterator. */
function bodyText({ body, url }: Response, largest = LARGEST_BODY): Promise<string> {
  return new Promise((done, fail) => {
    if (!body) return done("");
    const chunks: Buffer[] = [];
    let size = 0;
    body.on("error", fail);
    body.on("end", () => done(decoder.decode(Buffer.concat(chunks))));
    body.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > largest) (body as Readable).destroy(new FetchError(`the answer of ${url} is too large`, "max-size"));
    });
  });
}

export interface Exchange extends Pick<HttpRequest, "url" | "route" | "timeoutSeconds" | "onSend" | "signal"> {
  readonly accessToken: string;
  /** Texts in an answer that are never shown. */
  readonly secrets: ReadonlySet<string>;
  /** Body of a PATCH; without it the request is a GET. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

export interface Answer extends Pick<Reply, "body" | "proxy"> {
  readonly status: number;
}

/** Sends one request to the device service. Returns the answer of a success, or the failure. */
export async function exchange({ accessToken, secrets, fields, ...where }: Exchange): Promise<Answer | ServiceFailure> {
  const reply = await send({
    ...where,
    key: "baseUrl",
    method: fields ? "PATCH" : "GET",
    headers: {
      Accept: "application/json",
      Authorization: `Bearer ${accessToken}`,
      ...(fields && { "Content-Type": "application/json" }),
    },
    ...(fields && { body: JSON.stringify(fields) }),
  });
  if (isFailure(reply)) return reply;
  const { response, body, proxy } = reply;
  if (response.ok) return { status: response.status, body, proxy };
  // An HTML page with status 404 is from another server, because the service answers in JSON.
  const isPage = /html/i.test(response.headers.get("content-type") ?? "");
  const isGone = response.status === 404 || response.status === 410;
  const failure = { ...failureOfReply(reply, secrets, fields ? "update" : "read"), isGone: isGone && !isPage };
  const isTwice = /(\/api\/v\d+){2}\//.test(new URL(where.url).pathname);
  if (isGone && isTwice) return { ...failure, ...FAILURE_OF_TWICE, isGone: false };
  return isGone && isPage ? { ...failure, ...failureOfContent(failure.reason) } : failure;
}

/** The failure in an answer that is not a success. */
export function failureOfReply(
  { response, body, proxy }: Reply,
  secrets: ReadonlySet<string>,
  operation: RequestOperation = "read",
): ServiceFailure {
  const target = response.headers.get("location");
  // The path would differ between devices, and the query can have a secret.
  const to =
    target !== null && URL.canParse(target, response.url) ? `, to ${new URL(target, response.url).origin}` : "";
  const failure = failureOfStatus(response.status, extractOf(response.statusText + to, secrets), operation);
  // Prefer the service's clock, because ours may be wrong by a year.
  const now = Date.parse(response.headers.get("date") ?? "") || Date.now();
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), now);
  return {
    ...through(proxy, failure),
    extract: extractOf(body, secrets),
    ...(failure.transient &&
      retryAfterMs !== undefined && {
        retryAfterMs,
        ...askedToWait(retryAfterMs, now),
      }),
  };
}
