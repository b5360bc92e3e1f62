import { connect, type ServiceOptions } from "../../provider/service/client";

export const CAR = { businessId: "acme", deviceId: "car" };
export const CAR_PATH = "/api/v1/businesses/acme/devices/car";
export const POLICY = { policy: "CHARGE BY" };
export const never: AbortSignal = new AbortController().signal;

/** The client of the service at this address, with a token. It retries for a short time. */
export function serviceAt(baseUrl: string, options: Partial<ServiceOptions> = {}): ReturnType<typeof connect> {
  const limits = { maxConcurrency: 16, requestTimeoutSeconds: 60, retryTimeoutSeconds: 5 };
  return connect({ baseUrl, credentials: { accessToken: "t0ken" }, onRetry: () => {}, ...limits, ...options });
}
