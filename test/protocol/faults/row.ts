import { failureOfTimeout } from "../../../provider/service/errors";
import type { Trust } from "./certificates";
import { type Expectations, readFails, updateIsRefused, updateIsUncertain } from "./expected";
import type { Fault } from "./service";

/** The requests that meet a fault. */
export type Met = "GET" | "PATCH" | "POST" | "every";

/** A fault, and what has to come of the operations whose requests meet it. */
export interface Row {
  readonly fault: string;
  readonly happens: Fault;
  readonly expected: Readonly<Partial<Record<Met, Expectations>>>;
  readonly connection: Connection;
}

/** How the service can be reached; by default with http. */
export interface Connection {
  /** The service speaks TLS, with a certificate of this kind. */
  readonly certificate?: Trust;
  /** Nobody listens where the service was. */
  readonly isDown?: true;
  /** The base URL in place of the service's own. */
  readonly url?: string;
  /** Limits of the provider where they are others. */
  readonly limits?: Limits;
  /** Where the token comes from: an OAuth client gets it from the service itself. Default: it is in the environment. */
  readonly isClient?: true;
  /** Each operation has a process of its own, because what one has met holds back the next. */
  readonly isApart?: true;
}

/** Limits of the provider under test, in seconds. */
export interface Limits {
  readonly request: number;
  readonly retry: number;
}

/**
 * A request and its retries run into their time here. The same process makes requests that meet no fault: the time has
 * to be enough for those on a busy machine.
 */
export const HURRIED = { limits: { request: 3, retry: 7 } };

/** A last try can have less time than the first, and has a second at least. */
export const LATE = new RegExp(failureOfTimeout(2).reason.replace("2", "[1-3](\\.\\d)?"));

export function row(fault: string, happens: Fault, expected: Row["expected"], connection: Connection = {}): Row {
  return { fault, happens, expected, connection };
}

export const APPLIED = { whenNew: "new", whenOld: "old" };
export const NOT_APPLIED = { whenNew: "old", whenOld: "new" };
export const HALF_APPLIED = { whenNew: "half new", whenOld: "half old" };

/** The service does not answer the request, or says that it fails: it is tried several times. */
export function passing(says: RegExp): Row["expected"] {
  return { GET: readFails(says, "several"), PATCH: updateIsUncertain(says, "several", NOT_APPLIED) };
}

/** The service will not have the request: it is tried once. */
export function final(says: RegExp): Row["expected"] {
  return { GET: readFails(says, 1), PATCH: updateIsRefused(says) };
}
