import { ChargingStatus, isChargingStatus } from "./vocabulary";

/** The status of a vehicle as its device object shows it. The texts may be undocumented. */
export interface DeviceStatus {
  /** The service status; absent if none was found. */
  readonly serviceStatus?: string;
  /** The charging status; absent if none was found. */
  readonly chargingStatus?: string;
}

/** Maximum number of fields that are searched (our choice); a device object has a few dozen. */
const MOST_FIELDS = 10_000;

/**
 * Finds the status in a device object. The service documents neither where its two parts are nor the name of the
 * charging status, so this is our reading. The function searches objects and lists at any depth, and the shallowest field
 * wins. The service status is the field `service_status`. The charging status is the field `charging_status`. If there
 * is none, it is a field with "status" in its name whose value is a documented charging status other than `unknown`.
 * @param device the device object, as the service answers it
 * @example
 * const { serviceStatus = "unknown", chargingStatus } = statusOf({ service_status: "active_waiting" });
 * console.log(explainStatus(serviceStatus, chargingStatus).meaning);
 */
export function statusOf(device: Readonly<Record<string, unknown>>): DeviceStatus {
  let serviceStatus: string | undefined;
  let chargingStatus: string | undefined;
  let likely: string | undefined;
  for (const [name, value] of fieldsOf(device)) {
    if (typeof value !== "string" || value === "") continue;
    if (name === "service_status") serviceStatus ??= value;
    else if (name === "charging_status") chargingStatus ??= value;
    else if (/status/i.test(name) && isChargingStatus(value) && value !== ChargingStatus.Unknown) likely ??= value;
  }
  chargingStatus ??= likely;
  return { ...(serviceStatus && { serviceStatus }), ...(chargingStatus && { chargingStatus }) };
}

/** Names and values of the fields of an object and of everything in it, the shallowest first. */
function* fieldsOf(device: object): Generator<[string, unknown]> {
  const objects: object[] = [device];
  let left = MOST_FIELDS;
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      if (left-- === 0) return;
      yield [name, value];
      if (typeof value === "object" && value !== null) objects.push(value);
    }
  }
}
