import type { Agent } from "node:http";
import nodeFetch, { type Response } from "node-fetch";
import { extractOf, type Failure, failureOfConnection, failureOfStatus, failureOfTimeout } from "./errors";
import { parseRetryAfter } from "./retry";

/** Largest answer that is read, in bytes (our choice); a device object has a few hundred. */
const LARGEST_BODY = 1024 * 1024;

export interface Exchange {
  readonly url: string;
  readonly accessToken: string;
  /** Body of a PATCH; without it the request is a GET. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  readonly agent: Agent;
  /** Longest time until the whole answer is there, in seconds. */
  readonly timeoutSeconds: number;
  /** Stops the exchange, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One request and its answer: the answer of a success, or what went wrong. Follows no redirect, and does not retry. */
export async function exchange(request: Exchange): Promise<Answer | Failure> {
  const { url, accessToken, fields, agent, timeoutSeconds, signal } = request;
  const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000)); // It refuses fractions.
  try {
    const response = await nodeFetch(url, {
      method: fields ? "PATCH" : "GET",
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${accessToken}`,
        ...(fields && { "Content-Type": "application/json" }),
      },
      ...(fields && { body: JSON.stringify(fields) }),
      agent,
      redirect: "manual",
      size: LARGEST_BODY,
      signal: AbortSignal.any([signal, timeout]),
    });
    // Only a read needs its body: the status of an update, and of a failure, stands when the body breaks off.
    const body = response.ok && !fields ? await response.text() : await response.text().catch(() => "");
    signal.throwIfAborted();
    return response.ok ? { status: response.status, body } : refusal(response, body, accessToken);
  } catch (error) {
    signal.throwIfAborted();
    return timeout.aborted ? failureOfTimeout(timeoutSeconds) : failureOfConnection(error, new URL(url).origin);
  }
}

function refusal(response: Response, body: string, accessToken: string): Failure {
  const failure = failureOfStatus(response.status, extractOf(response.statusText, accessToken));
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
  // A web page that says 404 is some other server's: the service speaks JSON.
  const isPage = /html/i.test(response.headers.get("content-type") ?? "");
  return {
    ...failure,
    extract: extractOf(body, accessToken),
    isGone: (response.status === 404 || response.status === 410) && !isPage,
    ...(failure.transient &&
      retryAfterMs !== undefined && {
        retryAfterMs,
        advice: `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s: try again after that`,
      }),
  };
}
