import { type Message, problemOf, textOf } from "../messages/message";
import type { Device, DeviceRef } from "../service/device";
import { ServiceError } from "../service/errors";
import { idSchema } from "../settings/schema";
import { type DeviceKind, fromDevice, withWireNames } from "../settings/setting";
import { readDeviceOfKind } from "./call";
import { livePreviewEnds, noSuchDevice } from "./messages";
import type { ProgramFacts } from "./program";
import { isNotUsable, type Run } from "./run";
import { toId } from "./state";

/** Longest time for one try of a read, and in which it is tried again, in seconds (our choice): somebody waits. */
const LONGEST_READ = 10;
const LONGEST_RETRY = 5;

/** What the service shows of a device, for a resource of this kind; undefined if there is nothing to report, or nothing new. */
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
      requestTimeoutSeconds: Math.min(requestTimeoutSeconds, LONGEST_READ),
      retryTimeoutSeconds: Math.min(retryTimeoutSeconds, LONGEST_RETRY),
      onRetry: () => {},
    };
    const read = reads.get(toId(ref)) ?? run.service().readDevice(ref, stop.signal, retries);
    reads.set(toId(ref), read);
    return read;
  }

  const reported = new Set<string>();
  function once(problem: Message): ProgramFacts["live"] {
    const text = textOf(problem);
    if (reported.has(text)) return undefined;
    reported.add(text);
    return { problem };
  }

  return async (kind, ref) => {
    // The check refuses such an id.
    if (![ref.businessId, ref.deviceId].every((id) => idSchema.safeParse(id).success)) return undefined;
    try {
      if (!run.configuration().livePreview) return undefined;
      const named = withWireNames(kind, run.configuration().inverterFields ?? {});
      const device = await readDeviceOfKind({ kind: named, service: { readDevice }, signal: stop.signal }, ref);
      return device ? { values: fromDevice(named, device) } : once(noSuchDevice(ref));
    } catch (error) {
      if (stop.signal.aborted) return undefined;
      if (!isOutage(error)) return once(problemOf(error));
      stop.abort();
      await run.warn(livePreviewEnds(problemOf(error)));
      return undefined;
    }
  };
}

/** Whether other devices would fail in the same way: a refusal of one device, or its type, is its own. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return isNotUsable(error);
  const { status = 0, transient, isUnauthorized } = error;
  return transient || isUnauthorized || status < 400 || status >= 500;
}
