import { fromId } from "../../provider/lifecycle/state";
import type { DeviceRef } from "../../provider/service/device";

/**
 * The device that is meant. `business/device` names its business too, as summaries show it or URI-encoded as the id of a
 * resource; if the business is given by itself, all of it is the device's id.
 */
export function deviceMeant({ device, business }: { device?: string; business?: string }): Partial<DeviceRef> {
  const [businessId, deviceId, ...more] = device?.split("/") ?? [];
  if (business !== undefined || !businessId || !deviceId || more.length > 0) {
    return {
      ...(device !== undefined && { deviceId: device }),
      ...(business !== undefined && { businessId: business }),
    };
  }
  try {
    return fromId(`${businessId}/${deviceId}`);
  } catch {
    return { businessId, deviceId };
  }
}
