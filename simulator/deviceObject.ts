import { createHash } from "node:crypto";
import type { Device } from "./device";
import type { Behaviour, Settings } from "./types";

/**
 * The answer of the cached read: for a vehicle the documented object. The service documents no object for an inverter:
 * the same one with an empty `config` and the type name "Inverter" is our choice. So are all values that are not
 * settings. `service_status` is left out: the service does not document where it is.
 */
export function deviceObject(
  businessId: string,
  deviceId: string,
  { description }: Device,
  settings: Settings,
  reports: Behaviour["reports"],
): Record<string, unknown> {
  const { type, make = "simulated", title = deviceId } = description;
  const { policy, ...others } = settings;
  const at = (place: Behaviour["reports"]) => (reports === place ? others : {});
  const identity = {
    id: deviceId,
    dev_make: make,
    phys_id: physicalId(businessId, deviceId),
    dev_type: type === "vehicle" ? "Electric vehicle" : "Inverter",
    setup_complete: true,
  };
  return {
    __typename: type === "vehicle" ? "Vehicle" : "Inverter",
    ...identity,
    metadata: { ...identity, dev_id: deviceId, ...at("metadata") },
    connector_data: { title, display_name: title, location_aware: true },
    config: { ...(type === "vehicle" ? VEHICLE_CONFIG : {}), ...at("config") },
    ...at("top-level"),
    ...(policy === undefined ? {} : { policy }),
  };
}

const VEHICLE_CONFIG = {
  opt_out: false,
  opt_out_until: "",
  charge_by: "07:00",
  charge_from: "00:00",
  guaranteed_max_price: null,
  guaranteed_soc: 40,
  target_soc: 80,
};

/** The latest read's answer. The service documents no field names, so these are our choice. An inverter has none. */
export function latestTelemetry({ description }: Device): Record<string, number> {
  return description.type === "vehicle" ? { state_of_charge: 62, plug_status: 1 } : {};
}

/** UUID-shaped and the same each time. */
function physicalId(businessId: string, deviceId: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([businessId, deviceId]))
    .digest("hex");
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
