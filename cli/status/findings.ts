import { statSync } from "node:fs";
import type { LedgerLine } from "../../provider/ledger/ledgerLine";
import type { GetDeviceResult } from "../../provider/lifecycle/device/deviceView";
import { viewOf } from "../../provider/lifecycle/device/viewOf";
import { inParallel } from "../../provider/lifecycle/run/pool";
import { inGeneral, problemOf, textOf } from "../../provider/messages/message";
import type { Run } from "../../provider/run";
import type { DeviceRef } from "../../provider/service/device";
import { ServiceError } from "../../provider/service/errors";
import { fullNameOf } from "../fullName";
import { readLedgers } from "../ledger/read";
import type { Change, DeviceProblem } from "./model";

/** The result of a device's cached read. */
export type Finding = { readonly view: GetDeviceResult } | { readonly problem: DeviceProblem };

/** The facts about devices besides their declarations, by `business/device`. */
export interface Findings {
  /** Whether the service was asked. */
  readonly isAsked: boolean;
  readonly found: ReadonlyMap<string, Finding>;
  /** The last changes in the ledger, newest first. */
  readonly changes: ReadonlyMap<string, readonly Change[]>;
}

/**
 * The cached read of each device, once, as many at a time as the configuration allows.
 * @param onProgress called after each device
 * @throws ServiceError if the service accepts no token: every other device would fail in the same way
 */
export async function observe(
  run: Run,
  devices: readonly DeviceRef[],
  onProgress: () => void,
): Promise<Map<string, Finding>> {
  const { inverterFields = {}, maxConcurrency } = run.configuration();
  const service = run.service();
  const found = new Map<string, Finding>();
  const unknown: DeviceRef[] = [];
  let isStopped = false;
  const task = async (ref: DeviceRef) => {
    try {
      const device = await service.readDevice(ref, new AbortController().signal);
      if (device) found.set(fullNameOf(ref), { view: viewOf(ref, device, inverterFields) });
      else unknown.push(ref);
    } catch (error) {
      isStopped = error instanceof ServiceError && error.isUnauthorized;
      if (isStopped) throw error;
      found.set(fullNameOf(ref), unread(error));
    }
    onProgress();
  };
  const unique = new Map(devices.map((ref) => [fullNameOf(ref), ref]));
  await inParallel([...unique.values()], maxConcurrency, task, () => isStopped);
  for (const ref of unknown) found.set(fullNameOf(ref), await goneOrUnread(service, ref));
  return found;
}

/** Distinguishes a missing device from a wrong address: at a wrong address, every device seems missing. */
async function goneOrUnread(service: ReturnType<Run["service"]>, ref: DeviceRef): Promise<Finding> {
  try {
    await service.confirmGone(ref);
    return { problem: { code: "gone", finding: "the service does not know it: check deviceId and businessId" } };
  } catch (error) {
    return unread(error);
  }
}

/** The reason why a device could not be read, without its name, which is shown beside it. */
function unread(error: unknown): Finding {
  return { problem: { code: "unread", finding: textOf(inGeneral(problemOf(error)), { isBesideDevice: true }) } };
}

/** Changes of a device that are shown (our choice). `solar-charging ledger` shows all. */
const SHOWN = 10;

/**
 * The last changes of each device, newest first, by `business/device`.
 * @param files ledgers. One that does not exist yet has no changes
 * @throws Error if one cannot be read
 */
export async function historyOf(files: readonly string[]): Promise<Map<string, Change[]>> {
  const there = files.filter((file) => statSync(file, { throwIfNoEntry: false }));
  const { lines } = await readLedgers(there, { latest: SHOWN });
  const changes = new Map<string, Change[]>();
  for (const line of lines) {
    const device = fullNameOf(line);
    changes.set(device, [changeOf(line), ...(changes.get(device) ?? [])]);
  }
  return changes;
}

function changeOf({ time, by, operation, outcome, run, changes }: LedgerLine): Change {
  const settings = changes.map(({ key, old, new: value }) => ({
    key,
    ...(old !== undefined && { from: old }),
    to: value,
  }));
  return { time, by, operation, outcome, run, settings };
}
