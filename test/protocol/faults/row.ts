import { failureOfTimeout } from "../../../provider/service/errors";
import type { Trust } from "./certificates";
import { type Expectations, readFails, updateIsRefused, updateIsUncertain } from "./expected";
import type { Fault } from "./service";

/** The requests that meet a fault. */
export type Met = "GET" | "PATCH" | "POST" | "every";

/** A fault, and the expected results of the operations whose requests meet it. */
export interface Row {
  readonly fault: string;
  readonly happens: Fault;
  readonly expected: Readonly<Partial<Record<Met, Expectations>>>;
  readonly connection: Connection;
}

/** The connection to the service. Default: http. */
export interface Connection {
  /** The service speaks TLS, with a certificate of this kind. */
  readonly certificate?: Trust;
  /** No server listens at the service's address. */
  readonly isDown?: true;
  /** The base URL in place of the service's own. */
  readonly url?: string;
  /** Other limits of the provider. */
  readonly limits?: Limits;
  /** An OAuth client gets its token from the service itself. Default: the token is in the environment. */
  readonly isClient?: true;
  /** Each operation has its own process, because a fault pauses the next operation of the same process. */
  readonly isApart?: true;
}

/** Limits of the provider under test, in seconds. */
export interface Limits {
  readonly request: number;
  readonly retry: number;
}

/** Longest wait for a written value to be shown, in seconds: enough for a second read on a busy machine. */
export const VERIFY = 3;

/**
 * The limits for requests that run out of time. They are long enough for requests without a fault on a busy machine.
 */
export const HURRIED = { limits: { request: 3, retry: 7 } };

/** The last try can have less time than the first, but at least a second. */
export const LATE = new RegExp(failureOfTimeout(2).reason.replace("2", "[1-3](\\.\\d)?"));

export function row(fault: string, happens: Fault, expected: Row["expected"], connection: Connection = {}): Row {
  return { fault, happens, expected, connection };
}

export const APPLIED = { whenNew: "new", whenOld: "old" };
export const NOT_APPLIED = { whenNew: "old", whenOld: "new" };
export const HALF_APPLIED = { whenNew: "half new", whenOld: "half old" };

/** The service does not answer the request, or reports a failure, so the request is tried several times. */
export function passing(says: RegExp): Row["expected"] {
  return { GET: readFails(says, "several"), PATCH: updateIsUncertain(says, "several", NOT_APPLIED) };
}

/** Another server answers, which may have carried out an update: it is tried once, and its outcome is unknown. */
export function elsewhere(says: RegExp): Row["expected"] {
  return { GET: readFails(says, 1), PATCH: updateIsUncertain(says, 1, NOT_APPLIED) };
}

/** The service refuses the request, so it is tried once. */
export function final(says: RegExp): Row["expected"] {
  return { GET: readFails(says, 1), PATCH: updateIsRefused(says) };
}
