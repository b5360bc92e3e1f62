import type { DeviceRef } from "../../service/device";
import { idSchema } from "../../settings/schema";

/** The resource id: `businessId/deviceId`, each part URI-encoded. */
export function toId({ businessId, deviceId }: DeviceRef): string {
  return `${encodeURIComponent(businessId)}/${encodeURIComponent(deviceId)}`;
}

/** @throws Error if `id` is not the id of a settings resource, or contains an id that cannot be sent */
export function fromId(id: string): DeviceRef {
  try {
    const [businessId = "", deviceId = ""] = id.split("/").map(decodeURIComponent);
    const device = { businessId, deviceId };
    const isValid = idSchema.safeParse(businessId).success && idSchema.safeParse(deviceId).success;
    if (isValid && toId(device) === id) return device;
  } catch {
    // Report a broken percent sequence like any other foreign id.
  }
  throw new Error(
    `'${id}' is not an id of the form businessId/deviceId. In both parts, write special characters in percent-encoding`,
  );
}
