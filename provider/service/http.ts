import type { Readable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import nodeFetch, { FetchError, type Response } from "node-fetch";
import {
  askedToWait,
  failureOfConnection,
  failureOfStatus,
  failureOfTimeout,
  isFailure,
  type ServiceFailure,
} from "./errors";
import { extractOf } from "./extract";
import { parseRetryAfter } from "./retry";
import { isLoopback, type Route } from "./route";

/** Largest answer of the device service that is read, in bytes (our choice); a device object has a few hundred. */
const LARGEST_BODY = 1024 * 1024;

export interface HttpRequest {
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
  try {
    const response = await nodeFetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      agent: route.agent,
      redirect: "manual",
      signal: stop.signal,
    });
    // A failure does not need its body. A success does: the missing part may report a failure.
    const text = bodyText(response, message.largestBody);
    const whole = response.ok ? await text : await text.catch(() => "");
    signal?.throwIfAborted();
    return { response, body: whole };
  } catch (error) {
    signal?.throwIfAborted();
    if (stop.signal.aborted) return failureOfTimeout(timeoutSeconds);
    return failureOfConnection(error, { target: route.target, key, isLocal: isLoopback(new URL(url).hostname) });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
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

export interface Answer {
  readonly status: number;
  readonly body: string;
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
  const { response, body } = reply;
  if (response.ok) return { status: response.status, body };
  // An HTML page with status 404 is from another server, because the service answers in JSON.
  const isPage = /html/i.test(response.headers.get("content-type") ?? "");
  return {
    ...failureOfReply(reply, secrets),
    isGone: (response.status === 404 || response.status === 410) && !isPage,
  };
}

/** The failure in an answer that is not a success. */
export function failureOfReply({ response, body }: Reply, secrets: ReadonlySet<string>): ServiceFailure {
  const failure = failureOfStatus(response.status, extractOf(response.statusText, secrets));
  // Prefer the service's clock, because ours may be wrong by a year.
  const now = Date.parse(response.headers.get("date") ?? "") || Date.now();
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), now);
  return {
    ...failure,
    extract: extractOf(body, secrets),
    ...(failure.transient &&
      retryAfterMs !== undefined && {
        retryAfterMs,
        ...askedToWait(retryAfterMs),
      }),
  };
}
