import { createHash } from "node:crypto";
import type { Device, DeviceRef } from "./device";

/**
 * The fingerprint of the car or inverter behind a device, from its `phys_id`; undefined if the service shows none.
 * State contains the fingerprint, and a `phys_id` can be a vehicle identification number. So the fingerprint has only
 * 36 bits: many numbers share one, but two devices of a business hardly ever do.
 */
export function fingerprintOf({ businessId }: Pick<DeviceRef, "businessId">, device: Device): string | undefined {
  const physicalId = [device.phys_id, device.metadata?.phys_id].find(Boolean);
  if (physicalId === undefined) return undefined;
  const hash = createHash("sha256").update(JSON.stringify([businessId, physicalId]));
  return hash.digest("base64url").slice(0, 6);
}
