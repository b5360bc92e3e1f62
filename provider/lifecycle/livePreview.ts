import { isNotUsable, type Message, problemOf, textOf } from "../messages/message";
import type { DeviceService } from "../service/client";
import type { Device, DeviceRef } from "../service/device";
import { ServiceError } from "../service/errors";
import { idSchema } from "../settings/schema";
import { type DeviceKind, fromDevice, withWireNames } from "../settings/setting";
import { readDeviceOfKind } from "./device/call";
import type { LiveDevice } from "./run/context";
import { toId } from "./run/ids";
import { livePreviewEnds, noSuchDevice } from "./run/messages";
import type { Run } from "./run/run";
import { EVERYTHING, SecretInputs } from "./run/secretInputs";

/**
 * Time limit of one try of a read, and of all its tries, in seconds (our choice), because the user waits for the
 * preview.
 */
const LONGEST_READ = 10;
const LONGEST_RETRY = 5;

/** For the words of the service, which can quote settings: nobody knows here which of them are secrets. */
const ALL_SECRET = new SecretInputs([EVERYTHING]);

/**
 * Reads devices for a preview, each once even if several resources declare it. Never rejects: if the service cannot
 * be reached, it warns once, and the preview continues.
 * @returns a function that reads a device for a resource of this kind. Undefined if there is nothing to report, or if it
 * has been reported
 */
export function livePreview(run: Pick<Run, "configuration" | "service" | "report">) {
  const stop = new AbortController();
  const reads = new Map<string, Promise<Device | undefined>>();

  function readDevice(
    ref: DeviceRef,
    _: AbortSignal,
    options: Parameters<DeviceService["readDevice"]>[2] = {},
  ): Promise<Device | undefined> {
    const { requestTimeoutSeconds, retryTimeoutSeconds } = run.configuration();
    const retries = {
      requestTimeoutSeconds: Math.min(requestTimeoutSeconds, LONGEST_READ),
      retryTimeoutSeconds: Math.min(retryTimeoutSeconds, LONGEST_RETRY),
      onRetry: () => {},
    };
    const read = reads.get(toId(ref)) ?? run.service().readDevice(ref, stop.signal, { ...options, retries });
    reads.set(toId(ref), read);
    return read;
  }

  const reported = new Set<string>();
  function once(problem: Message): LiveDevice | undefined {
    const text = textOf(problem);
    if (reported.has(text)) return undefined;
    reported.add(text);
    return { problem };
  }

  return async (kind: DeviceKind, ref: DeviceRef): Promise<LiveDevice | undefined> => {
    // The check reports an invalid id.
    if (![ref.businessId, ref.deviceId].every((id) => idSchema.safeParse(id).success)) return undefined;
    try {
      if (!run.configuration().livePreview) return undefined;
      const named = withWireNames(kind, run.configuration().inverterFields ?? {});
      const device = await readDeviceOfKind({ kind: named, service: { readDevice }, signal: stop.signal }, ref);
      return device ? { values: fromDevice(named, device) } : once(noSuchDevice(ref));
    } catch (error) {
      if (stop.signal.aborted) return undefined;
      const problem = ALL_SECRET.hidden(problemOf(error));
      if (!isOutage(error)) return once(problem);
      stop.abort();
      await run.report.warn(livePreviewEnds(problem));
      return undefined;
    }
  };
}

/** Whether other devices would fail in the same way. A refusal or a wrong type concerns one device. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return isNotUsable(error);
  const { status = 0, transient, isUnauthorized } = error;
  return transient || isUnauthorized || status < 400 || status >= 500;
}
