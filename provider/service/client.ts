import { setMaxListeners } from "node:events";
import { Absences } from "./absences";
import { acceptanceOf, type ReadObject, readObjectOf, type Shape } from "./answer";
import { type CredentialOptions, Credentials } from "./credentials";
import { businessPath, type Device, type DeviceRef, devicePath, deviceSchema, type Metrics } from "./device";
import { failureOfAbsences, isFailure, type RequestOperation, ServiceError, type ServiceFailure } from "./errors";
import { Gate } from "./gate";
import { Health } from "./health";
import { type Answer, exchange } from "./http";
import { Identities } from "./identity";
import { Pace } from "./pace";
import { type RetryOptions, retryWhileTransient, type Turn } from "./retry";
import { makeRouter, type Route } from "./route";
import { untilStopped } from "./stop";

/** The kind of a request. `GET`: a cached read. `PATCH`: an update. `LATEST`: a latest read. */
type RequestKind = "GET" | "PATCH" | "LATEST";

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
  /** Maximum number of requests a minute. Default: no limit. */
  readonly maxRequestsPerMinute?: number | undefined;
  /** The file through which processes share that limit. Default: the limit is for this process alone. */
  readonly paceFile?: string | undefined;
  /** Longest time for one request, in seconds. */
  readonly requestTimeoutSeconds: number;
  /** Longest time for all tries of one request, in seconds. The first try always has `requestTimeoutSeconds`. */
  readonly retryTimeoutSeconds: number;
  /** The wire names of an inverter's settings. */
  readonly inverterFields?: readonly string[];
  /** Whether unknown devices count as gone even if they are most devices of the run. */
  readonly allowGone?: boolean;
  /** Called for each try of a request about a device, when it is made. */
  readonly onRequest?: ((kind: RequestKind, device: DeviceRef) => void) | undefined;
  /** Called when the service begins to fail or to be unreachable, and when it answers again. */
  readonly onTurn?: ((isFailing: boolean) => void) | undefined;
}

interface ReadOptions {
  /** The objects that count as the device. Default: those of any device. */
  readonly shape?: Shape;
  /** Default: the retries of the service. */
  readonly retries?: RetryOptions;
}

/** The device service. */
export type DeviceService = Pick<Service, keyof Service>;

interface Request {
  readonly operation: RequestOperation;
  readonly device: DeviceRef;
  /** Body of a PATCH; without it the request is a GET. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The object that the answer must have. */
  readonly shape?: Shape;
  readonly retries: RetryOptions;
  readonly signal: AbortSignal;
}

/** A request in progress. */
interface Pursuit extends Request {
  readonly path: string;
  /**
   * Whether one of its tries may have changed the device. A later try can be refused although an earlier one was
   * applied.
   */
  maybeApplied: boolean;
}

export function connect(options: ServiceOptions): DeviceService {
  return new Service(options);
}

/** The device service over HTTP. Requests for one device run one at a time. Rejects with a ServiceError. */
class Service {
  readonly #router = makeRouter();
  readonly #credentials: Credentials;
  readonly #health: Health;
  readonly #identities = new Identities();
  readonly #absences = new Absences();
  readonly #slots: Gate;
  readonly #pace: Pace | undefined;
  readonly #perDevice = new Map<string, Gate>();
  #route: Promise<Route | ServiceFailure> | undefined;

  constructor(private readonly options: ServiceOptions) {
    this.#credentials = new Credentials(options.credentials, this.#router, options.requestTimeoutSeconds);
    this.#health = new Health(options.retryTimeoutSeconds, options.onTurn);
    this.#slots = new Gate(options.maxConcurrency);
    const { maxRequestsPerMinute: limit, paceFile } = options;
    if (limit !== undefined) this.#pace = new Pace(limit, paceFile);
  }

  /** The cached read; undefined if the service does not know the device. */
  async readDevice(
    device: DeviceRef,
    signal: AbortSignal,
    { shape = "device", retries = this.options }: ReadOptions = {},
  ): Promise<Device | undefined> {
    const object = await this.#read({ operation: "read", device, shape, retries, signal });
    return object && deviceSchema.parse(object);
  }

  /** Must be called before an unknown device leaves the state. Rejects if the device may still exist. */
  async confirmGone(device: DeviceRef): Promise<void> {
    const { allowGone, baseUrl } = this.options;
    if (allowGone || (await this.#absences.areBelieved())) return;
    throw new ServiceError("read", device, failureOfAbsences(baseUrl + businessPath(device)), { maybeApplied: false });
  }

  /**
   * The cached read, tried once. Fields of an unexpected type are kept as they were sent. Undefined as in `readDevice`.
   */
  readObject(device: DeviceRef, signal: AbortSignal) {
    return this.#read({ operation: "read", device, shape: "any", retries: this.#once, signal });
  }

  /**
   * The latest read; undefined if the service does not know the device. It can wake a car and harm its 12 V battery, so
   * it is tried only once, whatever `retryTimeoutSeconds` is.
   */
  readLatestMetrics(device: DeviceRef, signal: AbortSignal): Promise<Metrics | undefined> {
    return this.#read({ operation: "read the latest metrics of", device, retries: this.#once, signal });
  }

  /** The device PATCH. It sets fields to absolute values, so repeating it is safe. */
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
    setMaxListeners(0, signal); // A signal for each request: Node would warn of one that many requests share.
    const asked = this.#absences.ask();
    this.#identities.ask(device);
    const result = await untilStopped(signal, () =>
      this.#gateOf(pursuit.path).pass(() =>
        retryWhileTransient(retries, signal, this.#turns(signal), this.#tries(pursuit)),
      ),
    ).finally(asked);
    if (isFailure(result)) throw new ServiceError(operation, device, result, pursuit);
    return result;
  }

  /** The gate that limits the requests in flight, and the requests per minute. */
  #turns(signal: AbortSignal): Pick<Gate, "pass"> {
    const pass: Gate["pass"] = (work) =>
      this.#slots.pass(async () => {
        await this.#pace?.turn(signal);
        return await work();
      });
    return { pass };
  }

  /** The gate that limits the device of this path to one request at a time. */
  #gateOf(path: string): Gate {
    const gate = this.#perDevice.get(path) ?? new Gate(1);
    this.#perDevice.set(path, gate);
    return gate;
  }

  /** Returns the function that makes the next try of a request, if the service may be called. */
  #tries(pursuit: Pursuit): (turn: Turn) => Promise<Answer | ReadObject | ServiceFailure> {
    const { operation, device, path, signal } = pursuit;
    let isTried = false;
    return async ({ waitable, begin }) => {
      const refusal = await this.#health.refusal(waitable());
      signal.throwIfAborted();
      if (refusal) {
        const reason = `not tried${isTried ? " again" : ""}: ${refusal.reason}`;
        throw new ServiceError(operation, device, { ...refusal, reason, transient: true }, pursuit);
      }
      isTried = true;
      const result = await this.#converse(pursuit, begin());
      this.#health.learn(path, result);
      this.#credentials.learn(result);
      if (operation !== "read the latest metrics of") this.#absences.learn(path, result);
      return result;
    };
  }

  /**
   * Makes one try. Repeats it once with a new token if the service refuses the token. Repeats it once over a new
   * connection if the answer is about another device, because a late answer on a kept connection can cause that.
   */
  async #converse(pursuit: Pursuit, timeoutSeconds: number): Promise<Answer | ReadObject | ServiceFailure> {
    const { operation, device, path, fields, signal } = pursuit;
    const { kind, below } = OPERATIONS[operation];
    this.#route ??= this.#router(this.options.baseUrl);
    const way = await this.#route;
    if (isFailure(way)) return way;
    const where = { url: this.options.baseUrl + path + below, route: way, timeoutSeconds, signal };
    const onSend = () => this.options.onRequest?.(kind, device);
    const { secrets } = this.#credentials;
    for (let isAgain = false, mayRenew = true, mayReconnect = kind !== "LATEST"; ; ) {
      const accessToken = await this.#credentials.token();
      if (isFailure(accessToken)) return accessToken;
      if (isAgain) await this.#pace?.turn(signal);
      isAgain = true;
      const answer = await exchange({ ...where, accessToken, secrets, fields, onSend });
      const result = isFailure(answer) ? answer : this.#resultOf(pursuit, answer);
      if (!isFailure(result)) return result;
      // Only such an answer says that nothing was applied. A gateway can redirect after it has forwarded an update.
      const isRefused = !result.transient && Number(result.status) >= 400;
      pursuit.maybeApplied ||= fields !== undefined && !result.isUnsent && !isRefused;
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

  #resultOf({ device, fields, shape }: Request, answer: Answer): Answer | ReadObject | ServiceFailure {
    const expectation = { device, identities: this.#identities, secrets: this.#credentials.secrets };
    const { inverterFields = [] } = this.options;
    return fields ? acceptanceOf(answer, expectation) : readObjectOf(answer, { ...expectation, shape, inverterFields });
  }
}
