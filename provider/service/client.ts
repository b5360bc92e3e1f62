import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type BulkheadPolicy, bulkhead } from "cockatiel";
import nodeFetch, { type Response } from "node-fetch";
import { type Device, type DeviceRef, devicePath, deviceSchema } from "./device";
import { extractOf, type Failure, failureOfConnection, failureOfStatus, type Operation, ServiceError } from "./errors";
import { parseRetryAfter, retryWhileTransient } from "./retry";

export interface ServiceOptions {
  /** `{base_url}` of the interface, without a trailing slash; a path in it is kept. */
  readonly baseUrl: string;
  /** Backend access token (interface 5). */
  readonly accessToken: string;
  /** Requests in flight at once. */
  readonly maxConcurrency: number;
  /** Longest time for one request, in seconds. */
  readonly requestTimeoutSeconds: number;
  /** Longest time for all tries of one request, in seconds. */
  readonly retryTimeoutSeconds: number;
}

/** The device service over HTTP. Never more than one request at a time for one device. */
export interface DeviceService {
  /** The cached read (interface 4.1); undefined when the service does not know the device. */
  readDevice(device: DeviceRef, signal: AbortSignal): Promise<Device | undefined>;
  /** The device PATCH (interface 4.3): sets the given fields to absolute values, so that repeating it is safe. */
  updateDevice(device: DeviceRef, fields: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void>;
}

/** Largest answer that is read, in bytes (our choice); a device object has a few hundred. */
const LARGEST_BODY = 1024 * 1024;

interface Answer {
  readonly response: Response;
  readonly body: string;
}

export function connect(options: ServiceOptions): DeviceService {
  const Agent = options.baseUrl.startsWith("https:") ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true });
  const slots = bulkhead(options.maxConcurrency, Number.POSITIVE_INFINITY);
  const perDevice = new Map<string, BulkheadPolicy>();

  /** Waits until no other request for the device is under way. */
  function exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
    const turn = perDevice.get(path) ?? bulkhead(1, Number.POSITIVE_INFINITY);
    perDevice.set(path, turn);
    return turn.execute(work);
  }

  async function request(
    operation: Operation,
    device: DeviceRef,
    signal: AbortSignal,
    fields?: object,
  ): Promise<Answer> {
    const path = devicePath(device);
    return await exclusively(path, () =>
      retryWhileTransient(options.retryTimeoutSeconds, signal, (trySignal) =>
        slots.execute(async () => {
          const answer = await send(operation, device, `${options.baseUrl}${path}`, trySignal, fields);
          if (answer.response.ok || isGone(answer)) return answer;
          throw new ServiceError(operation, device, refusal(answer, options.accessToken));
        }),
      ),
    );
  }

  async function send(
    operation: Operation,
    device: DeviceRef,
    url: string,
    signal: AbortSignal,
    fields?: object,
  ): Promise<Answer> {
    const timeout = AbortSignal.timeout(options.requestTimeoutSeconds * 1000);
    try {
      const response = await nodeFetch(url, {
        method: fields ? "PATCH" : "GET",
        headers: {
          Accept: "application/json",
          Authorization: `Bearer ${options.accessToken}`,
          ...(fields && { "Content-Type": "application/json" }),
        },
        ...(fields && { body: JSON.stringify(fields) }),
        agent,
        redirect: "manual",
        size: LARGEST_BODY,
        signal: AbortSignal.any([signal, timeout]),
      });
      return { response, body: await bodyOf(response, operation) };
    } catch (error) {
      signal.throwIfAborted();
      throw new ServiceError(
        operation,
        device,
        failureOfConnection(error, options.requestTimeoutSeconds, timeout.aborted),
      );
    }
  }

  return {
    async readDevice(device, signal) {
      const answer = await request("read", device, signal);
      if (isGone(answer)) return undefined;
      return parseDevice(answer, device, options.accessToken);
    },
    async updateDevice(device, fields, signal) {
      const answer = await request("update", device, signal, fields);
      if (isGone(answer)) {
        throw new ServiceError("update", device, refusal(answer, options.accessToken));
      }
    },
  };
}

/** The body as text. The status of an accepted update is its whole answer: a body that breaks off does not unmake it. */
async function bodyOf(response: Response, operation: Operation): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    if (operation === "update" && response.ok) return "";
    throw error;
  }
}

/** Whether the service says that it does not know the device. A web page that says 404 is some other server's. */
function isGone({ response }: Answer): boolean {
  const isPage = response.headers.get("content-type")?.includes("text/html") ?? false;
  return (response.status === 404 || response.status === 410) && !isPage;
}

function refusal({ response, body }: Answer, accessToken: string): Failure {
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
  return {
    ...failureOfStatus(response.status, response.statusText),
    extract: extractOf(body, accessToken),
    ...(retryAfterMs !== undefined && {
      retryAfterMs,
      advice: `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s: try again after that`,
    }),
  };
}

function parseDevice({ response, body }: Answer, device: DeviceRef, accessToken: string): Device {
  const parsed = deviceSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  throw new ServiceError("read", device, {
    reason: "the answer is not a device object",
    status: response.status,
    extract: extractOf(body, accessToken),
    advice: "Check that solar-charging:baseUrl points at the energy-management service",
    transient: false,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
