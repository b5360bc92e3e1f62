import { type BulkheadPolicy, bulkhead } from "cockatiel";
import type { z } from "zod";
import { type CredentialOptions, Credentials } from "./credentials";
import { type Device, type DeviceRef, devicePath, deviceSchema, type Metrics, objectSchema } from "./device";
import { type Failure, failureOfContent, isFailure, type Operation, ServiceError } from "./errors";
import { extractOf } from "./extract";
import { Health } from "./health";
import { type Answer, exchange } from "./http";
import { parseJson } from "./json";
import { type RetryOptions, retryWhileTransient, type Turn } from "./retry";
import { makeRouter } from "./route";

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
  /** Told of each request about a device when it is made, each try of it. */
  readonly onRequest?: ((kind: RequestKind) => void) | undefined;
}

/** The device service over HTTP. Never more than one request at a time for one device. Rejects with a ServiceError. */
export interface DeviceService {
  /**
   * The cached read (interface 4.1); undefined when the service does not know the device.
   * @param retries in place of those of the service
   */
  readDevice(device: DeviceRef, signal: AbortSignal, retries?: RetryOptions): Promise<Device | undefined>;
  /**
   * The latest read (interface 4.2); undefined when the service does not know the device. It can wake a car and harm its
   * 12 V battery, so it is tried once, whatever `retryTimeoutSeconds` says.
   */
  readLatestMetrics(device: DeviceRef, signal: AbortSignal): Promise<Metrics | undefined>;
  /** The device PATCH (interface 4.3): sets the given fields to absolute values, so that repeating it is safe. */
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

export function connect(options: ServiceOptions): ExaminedService {
  const router = makeRouter();
  const credentials = new Credentials(options.credentials, router, options.requestTimeoutSeconds);
  const health = new Health(options.retryTimeoutSeconds);
  const slots = bulkhead(options.maxConcurrency, Number.POSITIVE_INFINITY);
  const perDevice = new Map<string, BulkheadPolicy>();

  /** Waits until no other request for the device is under way. */
  function exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
    const turn = perDevice.get(path) ?? bulkhead(1, Number.POSITIVE_INFINITY);
    perDevice.set(path, turn);
    return turn.execute(work);
  }

  /** One exchange; a second one where the service refuses the token and another one may be had. */
  async function authorized(question: Request, timeoutSeconds: number): Promise<Answer | Failure> {
    const { operation, device, fields, signal } = question;
    const { kind, below } = OPERATIONS[operation];
    const url = options.baseUrl + devicePath(device) + below;
    const onSend = () => options.onRequest?.(kind);
    for (let isRenewed = false; ; isRenewed = true) {
      const accessToken = await credentials.token();
      if (isFailure(accessToken)) return accessToken;
      const { secrets } = credentials;
      const result = await exchange({ url, accessToken, secrets, fields, router, timeoutSeconds, onSend, signal });
      if (result.status !== 401) return result;
      if (isRenewed || !credentials.discard(accessToken)) {
        return { ...(result as Failure), advice: credentials.advice, isUnauthorized: true };
      }
    }
  }

  /** @returns the body of the answer */
  async function request(shared: Request): Promise<string> {
    // A signal of its own for what listens below: Node warns of one that many requests listen to.
    const question = { ...shared, signal: AbortSignal.any([shared.signal]) };
    const { operation, device, fields, retries, signal } = question;
    const key = devicePath(device);
    let isTried = false;
    // A later try can be refused after an earlier one was applied and its answer lost.
    let maybeApplied = false;
    const tryOnce = async ({ waitable, begin }: Turn) => {
      const refusal = await health.admit(waitable());
      signal.throwIfAborted();
      if (refusal) {
        const reason = `not tried${isTried ? " again" : ""}: ${refusal.reason}`;
        throw new ServiceError(operation, device, { ...refusal, reason, transient: true }, maybeApplied);
      }
      isTried = true;
      const result = await authorized(question, begin());
      health.learn(key, result);
      if (isFailure(result) && result.transient && !result.isUnauthorized) maybeApplied ||= fields !== undefined;
      return result;
    };
    const result = await exclusively(key, () =>
      retryWhileTransient(retries, signal, (turn) => slots.execute(() => tryOnce(turn))),
    );
    if (isFailure(result)) throw new ServiceError(operation, device, result, maybeApplied);
    return result.body;
  }

  /** @returns undefined when the service does not know the device */
  async function read<T>(schema: z.ZodType<T>, question: Request): Promise<T | undefined> {
    try {
      const body = await request(question);
      const parsed = schema.safeParse(parseJson(body, credentials.secrets));
      if (parsed.success) return parsed.data;
      throw contentError(question, "the answer is not a JSON object", body, false);
    } catch (error) {
      if (error instanceof ServiceError && error.isGone) return undefined;
      throw error;
    }
  }

  function contentError(
    { operation, device }: Request,
    reason: string,
    body: string,
    maybeApplied: boolean,
  ): ServiceError {
    const failure = { ...failureOfContent(reason), extract: extractOf(body, credentials.secrets) };
    return new ServiceError(operation, device, failure, maybeApplied);
  }

  const once = { ...options, retryTimeoutSeconds: 0 };
  return {
    readDevice: (device, signal, retries = options) =>
      read(deviceSchema, { operation: "read", device, retries, signal }),
    readObject: (device, signal) => read(objectSchema, { operation: "read", device, retries: once, signal }),
    readLatestMetrics: (device, signal) =>
      read(objectSchema, { operation: "read the latest metrics of", device, retries: once, signal }),
    async updateDevice(device, fields, signal) {
      const question: Request = { operation: "update", device, fields, retries: options, signal };
      const body = await request(question);
      // A portal has not passed the update on; a gateway may have, before it answered with a page of its own.
      if (/^\s*</.test(body)) throw contentError(question, "the answer is a web page", body, true);
    },
  };
}
