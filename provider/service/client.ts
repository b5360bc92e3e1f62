import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type BulkheadPolicy, bulkhead } from "cockatiel";
import { type Device, type DeviceRef, devicePath, deviceSchema } from "./device";
import { extractOf, failureOfContent, type Operation, ServiceError } from "./errors";
import { type Answer, exchange } from "./http";
import { type RetryOptions, retryWhileTransient } from "./retry";

export interface ServiceOptions extends RetryOptions {
  /** `{base_url}` of the interface, without a trailing slash; a path in it is kept. */
  readonly baseUrl: string;
  /** Backend access token (interface 5). */
  readonly accessToken: string;
  /** Requests in flight at once. */
  readonly maxConcurrency: number;
  /** Longest time for one request, in seconds. */
  readonly requestTimeoutSeconds: number;
  /** Longest time for all tries of one request, in seconds; the first try has `requestTimeoutSeconds` in any case. */
  readonly retryTimeoutSeconds: number;
}

/** The device service over HTTP. Never more than one request at a time for one device. Rejects with a ServiceError. */
export interface DeviceService {
  /** The cached read (interface 4.1); undefined when the service does not know the device. */
  readDevice(device: DeviceRef, signal: AbortSignal): Promise<Device | undefined>;
  /** The device PATCH (interface 4.3): sets the given fields to absolute values, so that repeating it is safe. */
  updateDevice(device: DeviceRef, fields: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void>;
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
    fields?: Readonly<Record<string, unknown>>,
  ): Promise<Answer> {
    const { baseUrl, accessToken } = options;
    const path = devicePath(device);
    // A later try can be refused after an earlier one was applied and its answer lost.
    let maybeApplied = false;
    const tryOnce = async (timeoutSeconds: number) => {
      const result = await exchange({ url: baseUrl + path, accessToken, fields, agent, timeoutSeconds, signal });
      if ("body" in result) return result;
      maybeApplied ||= operation === "update" && result.transient;
      throw new ServiceError(operation, device, result, maybeApplied);
    };
    return await exclusively(path, () =>
      retryWhileTransient(options, signal, (begin) => slots.execute(() => tryOnce(begin()))),
    );
  }

  return {
    async readDevice(device, signal) {
      try {
        return parseDevice(await request("read", device, signal), device, options.accessToken);
      } catch (error) {
        if (error instanceof ServiceError && error.isGone) return undefined;
        throw error;
      }
    },
    async updateDevice(device, fields, signal) {
      await request("update", device, signal, fields);
    },
  };
}

function parseDevice({ body }: Answer, device: DeviceRef, accessToken: string): Device {
  const parsed = deviceSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const failure = { ...failureOfContent("the answer is not a device object"), extract: extractOf(body, accessToken) };
  throw new ServiceError("read", device, failure, false);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
