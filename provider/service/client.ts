import { setMaxListeners } from "node:events";
import { Absences } from "./absences";
import { acceptanceOf, type Reading, readingOf } from "./answer";
import { type CredentialOptions, Credentials } from "./credentials";
import { businessPath, type Device, type DeviceRef, devicePath, deviceSchema, type Metrics } from "./device";
import { type Failure, failureOfAbsences, isFailure, type Operation, ServiceError } from "./errors";
import { Gate } from "./gate";
import { Health } from "./health";
import { type Answer, exchange } from "./http";
import { Identities } from "./identity";
import { type RetryOptions, retryWhileTransient, type Turn } from "./retry";
import { makeRouter, type Route } from "./route";
import { untilStopped } from "./stop";

/** A cached read, an update, a latest read. */
export type RequestKind = "GET" | "PATCH" | "LATEST";

/** What each operation counts as, and where it goes below the device's path. */
const OPERATIONS: Readonly<Record<Operation, { readonly kind: RequestKind; readonly below: string }>> = {
  read: { kind: "GET", below: "" },
  update: { kind: "PATCH", below: "" },
  "read the latest metrics of": { kind: "LATEST", below: "/metrics/latest" },
};

export interface ServiceOptions extends RetryOptions {
  /** `{base_url}` of the interface, without a trailing slash; a path in it is kept. */
  readonly baseUrl: string;
  readonly credentials: CredentialOptions;
  /** Requests in flight at once. */
  readonly maxConcurrency: number;
  /** Longest time for one request, in seconds. */
  readonly requestTimeoutSeconds: number;
  /** Longest time for all tries of one request, in seconds; the first try has `requestTimeoutSeconds` in any case. */
  readonly retryTimeoutSeconds: number;
  /** Whether devices are gone that the service does not know, even if those are most devices of the run. */
  readonly allowGone?: boolean;
  /** Told of each request about a device when it is made, each try of it. */
  readonly onRequest?: ((kind: RequestKind) => void) | undefined;
  /** Called when the service begins to fail, or not to answer, and when it answers again. */
  readonly onTurn?: ((isFailing: boolean) => void) | undefined;
}

/** The device service over HTTP. Never more than one request at a time for one device. Rejects with a ServiceError. */
export interface DeviceService {
  /**
   * The cached read; undefined when the service does not know the device.
   * @param retries in place of those of the service
   */
  readDevice(device: DeviceRef, signal: AbortSignal, retries?: RetryOptions): Promise<Device | undefined>;
  /** Has to be called before anything is lost with a device that the service does not know. Rejects if it may be there. */
  confirmGone(device: DeviceRef): Promise<void>;
  /**
   * The latest read; undefined when the service does not know the device. It can wake a car and harm its
   * 12 V battery, so it is tried once, whatever `retryTimeoutSeconds` says.
   */
  readLatestMetrics(device: DeviceRef, signal: AbortSignal): Promise<Metrics | undefined>;
  /** The device PATCH: sets the given fields to absolute values, so that repeating it is safe. */
  updateDevice(device: DeviceRef, fields: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void>;
}

/** The service, and what a tool asks that looks at the service itself. */
export interface ExaminedService extends DeviceService {
  /** The cached read, tried once, with fields of an unexpected type as they were sent; undefined as in `readDevice`. */
  readObject(device: DeviceRef, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined>;
}

interface Request {
  readonly operation: Operation;
  readonly device: DeviceRef;
  /** Body of a PATCH; without it the request is a GET. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly retries: RetryOptions;
  readonly signal: AbortSignal;
}

/** A request under way. */
interface Pursuit extends Request {
  readonly path: string;
  /** Whether an exchange of it may have changed the device: a later one can be refused after an earlier one was applied. */
  maybeApplied: boolean;
}

export function connect(options: ServiceOptions): ExaminedService {
  const router = makeRouter();
  const credentials = new Credentials(options.credentials, router, options.requestTimeoutSeconds);
  const health = new Health(options.retryTimeoutSeconds, options.onTurn);
  const identities = new Identities();
  const absences = new Absences();
  const slots = new Gate(options.maxConcurrency);
  const perDevice = new Map<string, Gate>();
  let route: Promise<Route | Failure> | undefined;

  /** Lets one request at a time pass for the device of this path. */
  function gateOf(path: string): Gate {
    const gate = perDevice.get(path) ?? new Gate(1);
    perDevice.set(path, gate);
    return gate;
  }

  /**
   * One exchange; a second one if the service refuses the token and another one may be had, or if the answer is another
   * device's, which a late one on a kept connection can be: then over a new connection.
   */
  async function converse(pursuit: Pursuit, timeoutSeconds: number): Promise<Answer | Reading | Failure> {
    const { operation, path, fields, signal } = pursuit;
    const { kind, below } = OPERATIONS[operation];
    route ??= router(options.baseUrl);
    const way = await route;
    if (isFailure(way)) return way;
    const where = { url: options.baseUrl + path + below, route: way, timeoutSeconds, signal };
    const onSend = () => options.onRequest?.(kind);
    for (let mayRenew = true, mayReconnect = kind !== "LATEST"; ; ) {
      const accessToken = await credentials.token();
      if (isFailure(accessToken)) return accessToken;
      const answer = await exchange({ ...where, accessToken, secrets: credentials.secrets, fields, onSend });
      const result = isFailure(answer) ? answer : worthOf(pursuit, answer);
      if (!isFailure(result)) return result;
      pursuit.maybeApplied ||= fields !== undefined && (result.transient || result.isUncertain === true);
      if (result.isForeign) {
        way.renew();
        if (!mayReconnect) return result;
        mayReconnect = false;
      } else if (result.status === 401) {
        const refused = { ...result, advice: credentials.advice, isUnauthorized: true };
        if (!mayRenew || !credentials.discard(accessToken)) return refused;
        mayRenew = false;
      } else return result;
    }
  }

  function worthOf({ operation, device, fields }: Request, answer: Answer): Answer | Reading | Failure {
    const expectation = { device, identities, secrets: credentials.secrets };
    return fields ? acceptanceOf(answer, expectation) : readingOf(answer, operation === "read", expectation);
  }

  async function request(question: Request): Promise<Answer | Reading> {
    const { operation, device, retries, signal } = question;
    const pursuit: Pursuit = { ...question, path: devicePath(device), maybeApplied: false };
    let isTried = false;
    const tryOnce = async ({ waitable, begin }: Turn) => {
      const refusal = await health.admit(waitable());
      signal.throwIfAborted();
      if (refusal) {
        const reason = `not tried${isTried ? " again" : ""}: ${refusal.reason}`;
        throw new ServiceError(operation, device, { ...refusal, reason, transient: true }, pursuit.maybeApplied);
      }
      isTried = true;
      const result = await converse(pursuit, begin());
      health.learn(pursuit.path, result);
      if (operation !== "read the latest metrics of") absences.learn(pursuit.path, result);
      return result;
    };
    setMaxListeners(0, signal); // Node would warn of one that many requests share.
    const asked = absences.ask();
    const result = await untilStopped(signal, () =>
      gateOf(pursuit.path).pass(() => retryWhileTransient(retries, signal, slots, tryOnce)),
    ).finally(asked);
    if (isFailure(result)) throw new ServiceError(operation, device, result, pursuit.maybeApplied);
    return result;
  }

  /** @returns undefined when the service does not know the device */
  async function read(question: Request): Promise<Reading["object"] | undefined> {
    try {
      return ((await request(question)) as Reading).object;
    } catch (error) {
      if (error instanceof ServiceError && error.isGone) return undefined;
      throw error;
    }
  }

  const once = { ...options, retryTimeoutSeconds: 0 };
  return {
    async readDevice(device, signal, retries = options) {
      const object = await read({ operation: "read", device, retries, signal });
      return object && deviceSchema.parse(object);
    },
    async confirmGone(device) {
      if (options.allowGone || (await absences.areBelieved())) return;
      throw new ServiceError("read", device, failureOfAbsences(options.baseUrl + businessPath(device)), false);
    },
    readObject: (device, signal) => read({ operation: "read", device, retries: once, signal }),
    readLatestMetrics: (device, signal) =>
      read({ operation: "read the latest metrics of", device, retries: once, signal }),
    async updateDevice(device, fields, signal) {
      await request({ operation: "update", device, fields, retries: options, signal });
    },
  };
}
