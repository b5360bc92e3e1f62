import { loseDevice, refreshDevice } from "../device/read";
import { notRead } from "../run/messages";
import { forEachDevice, type SiteCall } from "./call";
import type { SiteState, StoredDevice } from "./state";

/**
 * Reads the devices of a site into its state. A device that cannot be read keeps its last known values; a warning names
 * it.
 * @throws Error if no device could be read
 */
export async function readSite(call: SiteCall, site: SiteState): Promise<SiteState> {
  const { devices } = site;
  const read = await forEachDevice(call, "read", devices, (stored) => refreshDevice(call.of(stored), stored));
  // Decide after all reads: if most devices are unknown, the address is wrong, and none is gone.
  const unknown = [...read].flatMap(([device, { value, error }]) => (value || error !== undefined ? [] : device));
  const lost = await forEachDevice(call, "read", unknown, (stored) => loseDevice(call.of(stored), stored));
  const isFailed = (device: StoredDevice) => [read, lost].some((results) => results.get(device)?.error !== undefined);
  const reasons = call.failures.reasons();
  if (reasons.length > 0 && devices.every(isFailed)) throw new Error(reasons.join("\n"));
  for (const reason of reasons) await call.warn(notRead(reason));
  return {
    ...site,
    devices: devices.flatMap((device) => (isFailed(device) ? device : (read.get(device)?.value ?? []))),
  };
}
