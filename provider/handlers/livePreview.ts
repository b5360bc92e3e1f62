import type { Device, DeviceRef } from "../service/device";
import { ServiceError } from "../service/errors";
import { idSchema } from "../settings/schema";
import { type DeviceKind, fromDevice, withWireNames } from "../settings/setting";
import { noSuchDevice, readDeviceOfKind } from "./call";
import { ConfigurationError } from "./errors";
import type { ProgramFacts } from "./program";
import type { Run } from "./run";
import { toId } from "./state";

/** Longest time for all tries of one read, in seconds (our choice): somebody waits for the preview. */
const LONGEST_RETRY = 5;

/** What the service shows of a device, for a resource of this kind; undefined where nothing can be said. */
export type LiveReader = (kind: DeviceKind, ref: DeviceRef) => Promise<ProgramFacts["live"]>;

/**
 * Reads devices for a preview, each once whatever the number of its resources. Never rejects: a service that cannot be
 * reached is one warning, and the preview goes on without it.
 */
export function livePreview(run: Run): LiveReader {
  const stop = new AbortController();
  const reads = new Map<string, Promise<Device | undefined>>();

  function readDevice(ref: DeviceRef): Promise<Device | undefined> {
    const { requestTimeoutSeconds, retryTimeoutSeconds } = run.configuration();
    const retries = {
      requestTimeoutSeconds,
      retryTimeoutSeconds: Math.min(retryTimeoutSeconds, LONGEST_RETRY),
      onRetry: () => {},
    };
    const read = reads.get(toId(ref)) ?? run.service().readDevice(ref, stop.signal, retries);
    reads.set(toId(ref), read);
    return read;
  }

  return async (kind, ref) => {
    // The check refuses such an id.
    if (![ref.businessId, ref.deviceId].every((id) => idSchema.safeParse(id).success)) return undefined;
    try {
      const named = withWireNames(kind, run.configuration().inverterFields ?? {});
      const device = await readDeviceOfKind({ kind: named, service: { readDevice }, signal: stop.signal }, ref);
      return device ? { values: fromDevice(named, device) } : { problem: noSuchDevice(ref) };
    } catch (error) {
      if (stop.signal.aborted) return undefined;
      if (!isOutage(error)) return { problem: (error as Error).message };
      stop.abort();
      await run.warn(`the live preview ends here, and the preview goes on without it: ${(error as Error).message}`);
      return undefined;
    }
  };
}

/** Whether other devices would fail in the same way. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof ConfigurationError || (error instanceof ServiceError && (error.transient || error.isUnauthorized))
  );
}
