import { createHash } from "node:crypto";
import type { Device } from "./device";
import { APPEARS_WITH, type ChargingStatus, type ServiceStatus } from "./statuses";
import type { Behaviour, Settings } from "./types";

/** The facts of a device that its object shows. */
interface Shown {
  readonly settings: Settings;
  readonly behaviour: Behaviour;
  readonly statuses: ReturnType<typeof statusesOf>;
}

/**
 * The answer of the cached read: for a vehicle the documented object. The service documents no object for an inverter.
 * An inverter gets a vehicle's, with an empty `config` and the type name "Inverter" (our choice). All values that are
 * not settings, and the place of the statuses, are our choice too.
 */
export function deviceObject(
  businessId: string,
  deviceId: string,
  { description }: Device,
  { settings, behaviour, statuses }: Shown,
): Record<string, unknown> {
  const { reports, showsDefaults } = behaviour;
  const { type, make = "simulated", title = deviceId, physId = physicalId(businessId, deviceId) } = description;
  const { policy, ...known } = settings;
  const others = showsDefaults && type === "vehicle" ? { ...UNKNOWN_VEHICLE, ...known } : known;
  const at = (place: Behaviour["reports"]) => (reports === place ? others : {});
  const identity = {
    id: deviceId,
    dev_make: make,
    phys_id: physId,
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
    ...statuses,
    ...(policy === undefined ? {} : { policy }),
  };
}

/** The values that the service assumes for a vehicle whose integration reports none, in Wh and W. */
const UNKNOWN_VEHICLE = { max_capacity: 80_000, max_charge_power: 7200 };

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

/** An id in the form of a UUID, made of the two ids. */
function physicalId(businessId: string, deviceId: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([businessId, deviceId]))
    .digest("hex");
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const VALUES_OF_INVERTER = 5;

/** The statuses of a vehicle in the cached read; none of an inverter. @param neighbours all devices of its business */
export function statusesOf(
  { description, settings }: Device,
  neighbours: readonly Device[],
  { serviceStatus, chargingStatus }: Behaviour,
): { service_status?: ServiceStatus; charging_status?: ChargingStatus } {
  if (description.type !== "vehicle" || serviceStatus === "none") return {};
  const isSolar =
    settings.policy === "CHARGE BY FORECAST" &&
    neighbours.some(
      (one) => one.description.type === "inverter" && Object.keys(one.settings).length >= VALUES_OF_INVERTER,
    );
  const service =
    serviceStatus === "derived" ? (isSolar ? "active_solar_charging" : "active_scheduled") : serviceStatus;
  const fitting: readonly ChargingStatus[] = APPEARS_WITH[service];
  const charging = fitting.find((one) => one === chargingStatus) ?? fitting[0];
  return { service_status: service, ...(charging && { charging_status: charging }) };
}
