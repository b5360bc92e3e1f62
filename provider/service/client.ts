import { setMaxListeners } from "node:events";
import { Absences } from "./absences";
import { acceptanceOf, type ReadObject, readObjectOf } from "./answer";
import { type CredentialOptions, Credentials } from "./credentials";
import { businessPath, type Device, type DeviceRef, devicePath, deviceSchema, type Metrics } from "./device";
import { type Failure, failureOfAbsences, isFailure, type RequestOperation, ServiceError } from "./errors";
import { Gate } from "./gate";
import { Health } from "./health";
import { type Answer, exchange } from "./http";
import { Identities } from "./identity";
import { type RetryOptions, retryWhileTransient, type Turn } from "./retry";
import { makeRouter, type Route } from "./route";
import { untilStopped } from "./stop";

/** A cached read, an update, a latest read. */
export type RequestKind = "GET" | "PATCH" | "LATEST";

/** The kind of each operation, and its path below the device's. */
const OPERATIONS: Readonly<Record<RequestOperation, { readonly kind: RequestKind; readonly below: string }>> = {
  read: { kind: "GET", below: "" },
  update: { kind: "PATCH", below: "" },
  "read the latest metrics of": { kind: "LATEST", below: "/metrics/latest" },
};

export interface ServiceOptions extends RetryOptions {
  /** The base URL of the service, without a trailing slash; a path in it is kept. */
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
  /**
   * Has to be called before anything is lost with a device that the service does not know. Rejects if it may be there.
   */
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
  readonly operation: RequestOperation;
  readonly device: DeviceRef;
  /** Body of a PATCH; without it the request is a GET. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly retries: RetryOptions;
  readonly signal: AbortSignal;
}

/** A request under way. */
interface Pursuit extends Request {
  readonly path: string;
  /**
   * Whether an exchange of it may have changed the device: a later one can be refused after an earlier one was applied.
   */
  maybeApplied: boolean;
}

export function connect(options: ServiceOptions): ExaminedService {
  return new Service(options);
}

class Service implements ExaminedService {
  readonly #router = makeRouter();
  readonly #credentials: Credentials;
  readonly #health: Health;
  readonly #identities = new Identities();
  readonly #absences = new Absences();
  readonly #slots: Gate;
  readonly #perDevice = new Map<string, Gate>();
  #route: Promise<Route | Failure> | undefined;

  constructor(private readonly options: ServiceOptions) {
    this.#credentials = new Credentials(options.credentials, this.#router, options.requestTimeoutSeconds);
    this.#health = new Health(options.retryTimeoutSeconds, options.onTurn);
    this.#slots = new Gate(options.maxConcurrency);
  }

  async readDevice(device: DeviceRef, signal: AbortSignal, retries: RetryOptions = this.options) {
    const object = await this.#read({ operation: "read", device, retries, signal });
    return object && deviceSchema.parse(object);
  }

  async confirmGone(device: DeviceRef): Promise<void> {
    const { allowGone, baseUrl } = this.options;
    if (allowGone || (await this.#absences.areBelieved())) return;
    throw new ServiceError("read", device, failureOfAbsences(baseUrl + businessPath(device)), false);
  }

  readObject(device: DeviceRef, signal: AbortSignal) {
    return this.#read({ operation: "read", device, retries: this.#once, signal });
  }

  readLatestMetrics(device: DeviceRef, signal: AbortSignal) {
    return this.#read({ operation: "read the latest metrics of", device, retries: this.#once, signal });
  }

  async updateDevice(device: DeviceRef, fields: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    await this.#request({ operation: "update", device, fields, retries: this.options, signal });
  }

  get #once(): RetryOptions {
    return { ...this.options, retryTimeoutSeconds: 0 };
  }

  /** @returns undefined when the service does not know the device */
  async #read(question: Request): Promise<ReadObject["object"] | undefined> {
    try {
      return ((await this.#request(question)) as ReadObject).object;
    } catch (error) {
      if (error instanceof ServiceError && error.isGone) return undefined;
      throw error;
    }
  }

  async #request(question: Request): Promise<Answer | ReadObject> {
    const { operation, device, retries, signal } = question;
    const pursuit: Pursuit = { ...question, path: devicePath(device), maybeApplied: false };
    setMaxListeners(0, signal); // Node would warn of one that many requests share.
    const asked = this.#absences.ask();
    const result = await untilStopped(signal, () =>
      this.#gateOf(pursuit.path).pass(() => retryWhileTransient(retries, signal, this.#slots, this.#tries(pursuit))),
    ).finally(asked);
    if (isFailure(result)) throw new ServiceError(operation, device, result, pursuit.maybeApplied);
    return result;
  }

  /** Lets one request at a time pass for the device of this path. */
  #gateOf(path: string): Gate {
    const gate = this.#perDevice.get(path) ?? new Gate(1);
    this.#perDevice.set(path, gate);
    return gate;
  }

  /** One try after the other of a request, each only if the service may be asked. */
  #tries(pursuit: Pursuit): (turn: Turn) => Promise<Answer | ReadObject | Failure> {
    const { operation, device, path, signal } = pursuit;
    let isTried = false;
    return async ({ waitable, begin }) => {
      const refusal = await this.#health.admit(waitable());
      signal.throwIfAborted();
      if (refusal) {
        const reason = `not tried${isTried ? " again" : ""}: ${refusal.reason}`;
        throw new ServiceError(operation, device, { ...refusal, reason, transient: true }, pursuit.maybeApplied);
      }
      isTried = true;
      const result = await this.#converse(pursuit, begin());
      this.#health.learn(path, result);
      if (operation !== "read the latest metrics of") this.#absences.learn(path, result);
      return result;
    };
  }

  /**
   * One exchange; a second one if the service refuses the token and another one may be had, or if the answer is another
   * device's, which a late one on a kept connection can be: then over a new connection.
   */
  async #converse(pursuit: Pursuit, timeoutSeconds: number): Promise<Answer | ReadObject | Failure> {
    const { operation, path, fields, signal } = pursuit;
    const { kind, below } = OPERATIONS[operation];
    this.#route ??= this.#router(this.options.baseUrl);
    const way = await this.#route;
    if (isFailure(way)) return way;
    const where = { url: this.options.baseUrl + path + below, route: way, timeoutSeconds, signal };
    const onSend = () => this.options.onRequest?.(kind);
    const { secrets } = this.#credentials;
    for (let mayRenew = true, mayReconnect = kind !== "LATEST"; ; ) {
      const accessToken = await this.#credentials.token();
      if (isFailure(accessToken)) return accessToken;
      const answer = await exchange({ ...where, accessToken, secrets, fields, onSend });
      const result = isFailure(answer) ? answer : this.#worthOf(pursuit, answer);
      if (!isFailure(result)) return result;
      pursuit.maybeApplied ||= fields !== undefined && (result.transient || result.isUncertain === true);
      if (result.isForeign) {
        way.renew();
        if (!mayReconnect) return result;
        mayReconnect = false;
      } else if (result.status === 401) {
        const refused = { ...result, ...this.#credentials.refusal, isUnauthorized: true };
        if (!mayRenew || !this.#credentials.discard(accessToken)) return refused;
        mayRenew = false;
      } else return result;
    }
  }

  #worthOf({ operation, device, fields }: Request, answer: Answer): Answer | ReadObject | Failure {
    const expectation = { device, identities: this.#identities, secrets: this.#credentials.secrets };
    return fields ? acceptanceOf(answer, expectation) : readObjectOf(answer, operation === "read", expectation);
  }
}
