import { type DeviceRef, nameOf } from "./device";

/** What is done to a device, in the words of a message. */
export type Operation = "read" | "update" | "read the latest metrics of";

/** What is known about a request that did not succeed. */
export interface Failure {
  /** What happened, in words: "HTTP 403 Forbidden", "no answer within 30 s". */
  readonly reason: string;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  /** Cleaned beginning of the answer's body. */
  readonly extract?: string;
  /** What the user can do about it. */
  readonly advice: string;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** How long the service asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Whether the service says that it does not know the device. */
  readonly isGone?: boolean;
  /** Whether what is missing is an access token that the service accepts: every other request fails alike. */
  readonly isUnauthorized?: boolean;
  /** Whether the service answered an update so that nobody knows what became of it. */
  readonly isUncertain?: boolean;
  /** Whether the answer is about another device. */
  readonly isForeign?: boolean;
}

export function isFailure(result: object | string): result is Failure {
  return typeof result === "object" && "reason" in result;
}

/** The one error of this room: a request about one device failed. The message holds no token and no header. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** What the message says, without the advice at its end. */
  readonly finding: string;
  /** What happened to the request, whatever the device. */
  readonly reason: string;
  /** The message without the name of the device. */
  readonly withoutDevice: string;
  readonly advice: string;
  readonly status: number | undefined;
  readonly transient: boolean;
  readonly isGone: boolean;
  readonly isUnauthorized: boolean;

  /** @param maybeApplied whether this try or an earlier one may have changed the device all the same */
  constructor(
    readonly operation: Operation,
    readonly device: DeviceRef,
    failure: Failure,
    readonly maybeApplied: boolean,
  ) {
    const extract = failure.extract ? `, ${JSON.stringify(failure.extract)}` : "";
    const what = `${failure.reason}${extract}`;
    const finding = `cannot ${operation} ${nameOf(device)}: ${what}`;
    super(`${finding}. ${failure.advice}`);
    this.finding = finding;
    this.withoutDevice = `${what}. ${failure.advice}`;
    this.reason = failure.reason;
    this.advice = failure.advice;
    this.status = failure.status;
    this.transient = failure.transient;
    this.isGone = failure.isGone ?? false;
    this.isUnauthorized = failure.isUnauthorized ?? false;
  }
}

/** Statuses that may pass: the same request is tried again (our choice; the interface documents no error). */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** What to do about an answer of this status. */
export function failureOfStatus(status: number, statusText: string): Failure {
  const reason = `HTTP ${status}${statusText ? ` ${statusText}` : ""}`;
  return { reason, status, advice: adviceFor(status), transient: TRANSIENT_STATUSES.has(status) };
}

function adviceFor(status: number): string {
  if (status >= 300 && status < 400)
    return "Redirects are not followed: set solar-charging:baseUrl to the final address";
  if (status === 403) return "Check that the access token may manage this business";
  if (status === 404 || status === 410) return "Check deviceId, businessId and solar-charging:baseUrl";
  if (status === 409) return "The device takes no update now, or another one is under way: try again later";
  if (status === 429) return "The service limits requests: lower solar-charging:maxConcurrency, or try again later";
  if (status >= 500 || TRANSIENT_STATUSES.has(status)) return "The service is failing: try again later";
  return "The service refuses the request: check the declared values and, for an inverter, solar-charging:inverterFields";
}

/** What to do about a 200 that is not what was asked for. */
export function failureOfContent(reason: string): Failure {
  const advice = "Check that solar-charging:baseUrl points at the energy-management service";
  return { reason, advice, transient: false };
}

/** What to do about an answer that ended in the middle. */
export function failureOfCut(): Failure {
  return { reason: "the answer is cut", advice: "The service or a proxy is failing: try again later", transient: true };
}

/** What to do about an answer that is about another device. @param other what it says instead */
export function failureOfForeign(other: string): Failure {
  const advice = "Check deviceId; if it is right, a proxy or cache in front of the service mixes up answers";
  return { reason: `the answer is about another device, ${other}`, advice, transient: false, isForeign: true };
}

/** What to do about devices that the service does not know, if those are most. @param address where they were looked for */
export function failureOfAbsences(address: string): Failure {
  const advice =
    "Check solar-charging:baseUrl and businessId. If the devices are really gone, run the same command with " +
    "SOLAR_CHARGING_ALLOW_GONE=true";
  return { reason: `the service does not know most devices of this run at ${address}`, advice, transient: false };
}

/** What to do about a request that had no whole answer in time. */
export function failureOfTimeout(timeoutSeconds: number): Failure {
  const advice = "Try again later, or raise solar-charging:requestTimeoutSeconds";
  return { reason: `no whole answer within ${Number(timeoutSeconds.toFixed(1))} s`, advice, transient: true };
}

/**
 * What to do about a connection that failed.
 * @param target what was to be connected to
 * @param setting the setting that says so
 */
export function failureOfConnection(error: unknown, target: string, setting: string): Failure {
  if (error instanceof Error && "type" in error && error.type === "max-size") {
    return { ...failureOfContent("the answer is larger than a device object can be"), isUncertain: true };
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown network error";
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/.test(code)) {
    const advice = `Check ${setting}; for a private certificate authority set NODE_EXTRA_CA_CERTS`;
    return { reason: `the TLS connection to ${target} failed (${code})`, advice, transient: false };
  }
  if (code.startsWith("PROXY_")) {
    const advice = "Check HTTPS_PROXY, with the proxy's user and password, and NO_PROXY";
    return {
      reason: `there is no connection to ${target}, which answers HTTP ${code.slice(6)}`,
      advice,
      transient: /_5/.test(code),
    };
  }
  const advice = `Check that the service runs, the network, and ${setting}, then try again`;
  // A host name that does not exist is a typing error far more often than an outage; EAI_AGAIN is the passing kind.
  return { reason: `the connection to ${target} failed (${code})`, advice, transient: code !== "ENOTFOUND" };
}
