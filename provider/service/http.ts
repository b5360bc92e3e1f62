import nodeFetch, { type Response } from "node-fetch";
import { type Failure, failureOfConnection, failureOfStatus, failureOfTimeout, isFailure } from "./errors";
import { extractOf } from "./extract";
import { parseRetryAfter } from "./retry";
import type { Router } from "./route";

/** Largest answer that is read, in bytes (our choice); a device object has a few hundred. */
const LARGEST_BODY = 1024 * 1024;

export interface Message {
  readonly url: string;
  /** The setting that the address is from, for messages. */
  readonly setting: string;
  readonly method: "GET" | "PATCH" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether a success is worth nothing without its body; the status of a failure stands without. */
  readonly needsBody: boolean;
  readonly router: Router;
  /** Longest time until the whole answer is there, in seconds. */
  readonly timeoutSeconds: number;
  /** Told when the message goes out. */
  readonly onSend?: () => void;
  /** Stops the exchange, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly response: Response;
  readonly body: string;
}

/** One message and its answer, whatever its status. Follows no redirect, and does not retry. */
export async function send(message: Message): Promise<Reply | Failure> {
  const { url, setting, method, headers, body, needsBody, router, timeoutSeconds, onSend, signal } = message;
  const route = await router(url);
  if (isFailure(route)) return route;
  const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000)); // It refuses fractions.
  onSend?.();
  try {
    const response = await nodeFetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      agent: route.agent,
      redirect: "manual",
      size: LARGEST_BODY,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = response.ok && needsBody ? await response.text() : await response.text().catch(() => "");
    signal?.throwIfAborted();
    return { response, body: text };
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) return failureOfTimeout(timeoutSeconds);
    return failureOfConnection(error, route.target, setting);
  }
}

export interface Exchange extends Pick<Message, "url" | "router" | "timeoutSeconds" | "onSend" | "signal"> {
  readonly accessToken: string;
  /** What is shown of no answer. */
  readonly secrets: ReadonlySet<string>;
  /** Body of a PATCH; without it the request is a GET. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One request of the device service and its answer: that of a success, or what went wrong. */
export async function exchange({ accessToken, secrets, fields, ...where }: Exchange): Promise<Answer | Failure> {
  const reply = await send({
    ...where,
    setting: "solar-charging:baseUrl",
    method: fields ? "PATCH" : "GET",
    headers: {
      Accept: "application/json",
      Authorization: `Bearer ${accessToken}`,
      ...(fields && { "Content-Type": "application/json" }),
    },
    ...(fields && { body: JSON.stringify(fields) }),
    needsBody: !fields,
  });
  if (isFailure(reply)) return reply;
  const { response, body } = reply;
  if (response.ok) return { status: response.status, body };
  // A web page that says 404 is some other server's: the service speaks JSON.
  const isPage = /html/i.test(response.headers.get("content-type") ?? "");
  return {
    ...failureOfReply(reply, secrets),
    isGone: (response.status === 404 || response.status === 410) && !isPage,
  };
}

/** What an answer says that is no success. */
export function failureOfReply({ response, body }: Reply, secrets: ReadonlySet<string>): Failure {
  const failure = failureOfStatus(response.status, extractOf(response.statusText, secrets));
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
  return {
    ...failure,
    extract: extractOf(body, secrets),
    ...(failure.transient &&
      retryAfterMs !== undefined && {
        retryAfterMs,
        advice: `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s: try again after that`,
      }),
  };
}
