import type { MessageCode } from "../messages/codes";
import { type Message, MessageError } from "../messages/message";
import { type DeviceRef, nameOf } from "./device";

/** The operation on a device, in the words of a message. */
export type RequestOperation = "read" | "update" | "read the latest metrics of";

/** The facts about a request that did not succeed. */
export interface ServiceFailure {
  readonly code: MessageCode;
  /**
   * The reason in words: "HTTP 403 Forbidden", "no answer within 30 s". It can contain placeholders of configuration
   * keys, as a `Message` can.
   */
  readonly reason: string;
  /** HTTP status, if there was an answer. */
  readonly status?: number;
  /** Cleaned beginning of the answer's body. */
  readonly extract?: string;
  /** Advice for the user. */
  readonly advice: string;
  /** The configuration keys that reason and advice name. */
  readonly keys?: readonly string[];
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** The wait that the service asks for before the next try, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The longest time to retry after this failure, in seconds, if it is shorter than the configured one. */
  readonly retrySeconds?: number;
  /** Whether the service says that it does not know the device. */
  readonly isGone?: boolean;
  /** Whether the service refuses every access token that the provider has. Then every other request would fail too. */
  readonly isUnauthorized?: boolean;
  /** Whether there was no connection, so that the request has certainly not been sent. */
  readonly isUnsent?: boolean;
  /** Whether the answer is about another device. */
  readonly isForeign?: boolean;
}

export function isFailure(result: object | string): result is ServiceFailure {
  return typeof result === "object" && "reason" in result;
}

/** A failure that is about no device. */
export function messageOf({ code, reason, advice, keys, extract }: ServiceFailure): Message {
  return { code, finding: reason, advice, ...(keys && { keys }), ...(extract && { extract }) };
}

/** The error of every failed request for a device. The message contains no token and no header. */
export class ServiceError extends MessageError {
  override readonly name = "ServiceError";
  readonly status: number | undefined;
  readonly transient: boolean;
  readonly isGone: boolean;
  readonly isUnauthorized: boolean;

  /** Whether this try or an earlier one may have changed the device. */
  readonly maybeApplied: boolean;

  constructor(
    readonly operation: RequestOperation,
    readonly device: DeviceRef,
    failure: ServiceFailure,
    { maybeApplied }: { readonly maybeApplied: boolean },
  ) {
    const { finding, ...message } = messageOf(failure);
    super({ ...message, finding: `cannot ${operation} {device}: ${finding}`, device: nameOf(device) });
    this.maybeApplied = maybeApplied;
    this.status = failure.status;
    this.transient = failure.transient;
    this.isGone = failure.isGone ?? false;
    this.isUnauthorized = failure.isUnauthorized ?? false;
  }
}

/**
 * Temporary failures, after which the provider retries, and which may have applied an update (our choice: the service
 * documents no errors). Without those of gateways, such as Cloudflare's 524, the baseline of an update that was applied
 * could be lost.
 */
const TRANSIENT: ReadonlySet<MessageCode> = new Set(["tooManyRequests", "serviceFails"]);

/**
 * Advice, by the operation and the status of its answer: the first that fits. The service documents no errors, so
 * the last one says only what may be.
 */
const HINTS: readonly (readonly [answers: RegExp, code: MessageCode, advice: string, ...keys: string[]])[] = [
  [
    /30[12378]$/,
    "redirect",
    "Redirects are not followed: set {baseUrl} to the address of the service itself",
    "baseUrl",
  ],
  [/401$/, "notAuthorized", "Check the access token"],
  [/402$|451$/, "notAllowed", "The service refuses the account: ask its operator about payment and contract"],
  [/403$/, "notAllowed", "Check that the access token may manage this business"],
  // The ids and the address were right when the device was read.
  [/^update (404|410)$/, "notFound", "Check that the device still exists, and that the access token may change it"],
  [/404$|410$/, "notFound", "Check deviceId, businessId and {baseUrl}", "baseUrl"],
  [/409$|423$/, "conflict", "The device may be busy, or another update in progress: try again later"],
  [
    /429$/,
    "tooManyRequests",
    "The service limits requests: set {maxRequestsPerMinute}, or try again later",
    "maxRequestsPerMinute",
  ],
  [
    / (408|425|(?!501|505|511)[5-9]\d\d)$/,
    "serviceFails",
    "The service, or a gateway in front of it, is failing: try again later",
  ],
  [
    /^update (400|422)$/,
    "requestRefused",
    "The service refuses the request: check the declared values and, for an inverter, {inverterFields}",
    "inverterFields",
  ],
  [
    /400$|422$/,
    "requestRefused",
    "The service refuses the request: check deviceId, businessId and {baseUrl}",
    "baseUrl",
  ],
  [
    /$/,
    "requestRefused",
    "Something in front of the service may have answered: check {baseUrl}, and any gateway, proxy or cache",
    "baseUrl",
  ],
];

/** The failure for an answer of this status. */
export function failureOfStatus(
  status: number,
  statusText: string,
  operation: RequestOperation = "update",
): ServiceFailure {
  const reason = `HTTP ${status}${statusText ? ` ${statusText}` : ""}`;
  const [, code, advice, ...keys] = HINTS.find(([answers]) =>
    answers.test(`${operation} ${status}`),
  ) as (typeof HINTS)[number];
  return { reason, status, code, advice, keys, transient: TRANSIENT.has(code) };
}

/** Advice if a base URL that ends in the path of the API answers 404. */
export const FAILURE_OF_TWICE: Pick<ServiceFailure, "code" | "advice" | "keys"> = {
  code: "notFound",
  advice: "Remove /api/v1 from the end of {baseUrl}: the provider adds it",
  keys: ["baseUrl"],
};

/** The failure for an answer of status 200 with unexpected content. */
export function failureOfContent(reason: string): ServiceFailure {
  return {
    code: "notTheService",
    reason,
    advice: "Check that {baseUrl} points at the energy-management service",
    keys: ["baseUrl"],
    transient: false,
  };
}

/** The failure for a truncated answer. */
export function failureOfCut(status: number): ServiceFailure {
  return {
    code: "cutAnswer",
    reason: `the answer is incomplete (HTTP ${status})`,
    advice: "The service or a proxy is failing: try again later",
    transient: true,
  };
}

/** The failure for an answer that is about another device. @param other the device in the answer */
export function failureOfForeign(other: string): ServiceFailure {
  const advice = "Check deviceId; if it is right, a proxy or cache in front of the service mixes up answers";
  const reason = `the answer is about another device, ${other}`;
  return { code: "otherDeviceAnswers", reason, advice, transient: false, isForeign: true };
}

/** The failure if most devices are unknown to the service. @param address of the service */
export function failureOfAbsences(address: string): ServiceFailure {
  const advice =
    "Check {baseUrl} and businessId. If the devices are really gone, run the same command with " +
    "SOLAR_CHARGING_ALLOW_GONE=true";
  const reason = `the service does not know most devices of this run at ${address}`;
  return { code: "mostUnknown", reason, advice, keys: ["baseUrl"], transient: false };
}

/** The failure for an answer of status 200 that reports a failed update. */
export const FAILURE_OF_REFUSAL: ServiceFailure = {
  code: "updateFailed",
  reason: "the service reports that the update failed",
  advice: "Check the declared values and the state of the device",
  transient: false,
};

/** The shortest wait that is shown as a date, in milliseconds. */
const DAY = 86_400_000;

/** The time that the service asks to wait: `30 s`, `until 2027-12-31`. @param now the time of its answer */
export function waitInWords(milliseconds: number, now: number): string {
  if (milliseconds < DAY) return `${Math.ceil(milliseconds / 1000)} s`;
  const end = new Date(now + milliseconds);
  return Number.isNaN(end.valueOf()) ? "for ever" : `until ${end.toISOString().slice(0, 10)}`;
}

/** Advice for an answer that asks to wait. */
export function askedToWait(milliseconds: number, now: number): Pick<ServiceFailure, "code" | "advice" | "keys"> {
  const advice = `The service asks to wait ${waitInWords(milliseconds, now)}: try again after that`;
  return { code: "askedToWait", advice, keys: [] };
}

/** The warning that a request is being retried. */
export function retrying({ reason, keys }: ServiceFailure, seconds: number): Message {
  const finding = `${reason}: retrying for up to ${seconds} s`;
  return { code: "retrying", finding, ...(keys && { keys }) };
}

/** The failure for a secret's file without a secret. @param what the problem of the file */
export function failureOfSecretFile(key: string, path: string, what: string, advice: string): ServiceFailure {
  const reason = `no access token: {${key}} names the file ${path}, which ${what}`;
  return { code: "secretFile", reason, advice, keys: [key], transient: false };
}

/** The failure for a command that prints no token. @param end its exit, or the problem of its output */
export function failureOfCommand(end: string, extract: string): ServiceFailure {
  return {
    code: "tokenCommand",
    reason: `no access token: {tokenCommand} ${end}`,
    extract,
    advice: "Run it by hand: it must print only the token, without 'Bearer ', and end with exit code 0",
    keys: ["tokenCommand", "requestTimeoutSeconds"],
    transient: false,
  };
}

/** The failure for a token endpoint that gives no token. */
export function failureOfTokenEndpoint(reason: string): ServiceFailure {
  const advice = "Check {oauthTokenUrl}, oauthClientId, oauthClientSecret and oauthScope";
  return { code: "tokenEndpoint", reason, advice, keys: ["oauthTokenUrl"], transient: false };
}

/** The failure for an invalid address of a proxy. */
export const FAILURE_OF_PROXY_ADDRESS: ServiceFailure = {
  code: "proxyAddress",
  reason: "HTTPS_PROXY is not the address of an http or https proxy",
  advice: "Write it as http://host:port. To bypass the proxy, name the service in NO_PROXY",
  transient: false,
};

/** The failure for a request without a complete answer in time. */
export function failureOfTimeout(timeoutSeconds: number): ServiceFailure {
  const advice = "Try again later, or raise {requestTimeoutSeconds}";
  const reason = `no complete answer within ${Number(timeoutSeconds.toFixed(1))} s`;
  return { code: "timeout", reason, advice, keys: ["requestTimeoutSeconds"], transient: true };
}

/** The failure of a request through a proxy, with its name. @param proxy its address without credentials, if any */
export function through<F extends ServiceFailure>(proxy: string | undefined, failure: F): F {
  return proxy === undefined ? failure : { ...failure, reason: `${failure.reason}, through the proxy ${proxy}` };
}

/**
 * Longest time to retry if this machine refuses a connection, in seconds (our choice). A service here that is not
 * started, or a wrong port, is far more often the cause than an outage.
 */
const RETRY_LOCALLY = 10;

/** A connection that failed. */
interface Connection {
  /** The origin of the server. */
  readonly target: string;
  /** The configuration key of its address. */
  readonly key: string;
  /** Whether the server is on this machine. */
  readonly isLocal: boolean;
  readonly proxy?: string | undefined;
}

/**
 * Advice for failures of TLS, by their code. The last entry is for all other codes: they are about certificates of an
 * unknown authority.
 */
const TLS_ADVICE: readonly (readonly [codes: RegExp, advice: string])[] = [
  [/^CERT_HAS_EXPIRED/, "The server's certificate has expired: renew it, or correct the clock of this machine"],
  [/^CERT_NOT_YET_VALID/, "The server's certificate is not valid yet: check the clock of this machine"],
  [/^CERT_REVOKED/, "The server's certificate is revoked: renew it"],
  [/ALTNAME|HOSTNAME/, "The server's certificate is for another host name"],
  [
    /^(EPROTO|ERR_)/,
    "The server speaks no TLS, speaks an old version of it, or requires a client certificate, which the provider does not support",
  ],
  [/^/, "For a private certificate authority, set NODE_EXTRA_CA_CERTS to its PEM file"],
];

export function failureOfConnection(error: unknown, { target, key, isLocal, proxy }: Connection): ServiceFailure {
  const { type, code = "unknown network error" } = Object(error);
  if (type === "max-size") {
    return failureOfContent("the answer is larger than a device object can be");
  }
  const cause = String(code);
  const keys = [key];
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/.test(cause)) {
    const [, ofCause] = TLS_ADVICE.find(([codes]) => codes.test(cause)) as (typeof TLS_ADVICE)[number];
    // A certificate of the right server can be too old.
    const advice = cause.startsWith("CERT_") ? ofCause : `Check {${key}}. ${ofCause}`;
    return { code: "tls", reason: `the TLS connection to ${target} failed (${cause})`, advice, keys, transient: false };
  }
  if (cause.startsWith("PROXY_")) {
    const advice = "Check HTTPS_PROXY with its user and password. To bypass the proxy, name the service in NO_PROXY";
    const reason = `a connection to ${target} was refused with HTTP ${cause.slice(6)}`;
    return { code: "proxyRefuses", reason, advice, transient: /_5/.test(cause) };
  }
  const advice = proxy
    ? "Check the network, HTTPS_PROXY, and that the proxy runs. To bypass it, name the service in NO_PROXY. Then try again"
    : `Check the network, {${key}}, and that the service runs, then try again`;
  // A missing host name is far more often a typing error than an outage. EAI_AGAIN is the temporary kind.
  const reason = `the connection to ${target} failed (${cause})`;
  const retrySeconds = isLocal && cause === "ECONNREFUSED" ? { retrySeconds: RETRY_LOCALLY } : {};
  return { code: "noConnection", reason, advice, keys, transient: cause !== "ENOTFOUND", ...retrySeconds };
}
