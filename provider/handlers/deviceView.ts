import { type Device, type DeviceRef, deviceTypeOf } from "../service/device";
import { inverter } from "../settings/inverter";
import { fromDevice, pick, toPatch, withWireNames } from "../settings/setting";
import { vehicle } from "../settings/vehicle";
import { statusOf } from "../status/find";

/**
 * A device as the cached read shows it (interface 2.1 to 2.4). What the service does not report, or reports with another
 * JSON type, is absent. `personal` and `raw` are not enumerable: logs, JSON and state leave them out, and a copy of the
 * view loses them. They are read by name.
 */
export interface DeviceView extends DeviceRef {
  /** Device type; `Electric vehicle` for a vehicle. */
  readonly devType?: string;
  /** Make or integration. */
  readonly devMake?: string;
  /** Whether the setup of the device is complete. */
  readonly setupComplete?: boolean;
  /** The settings that are shown: those of the device's kind, or of both where its type is not shown. */
  readonly reported: ReportedSettings;
  /** Where the device has one. Units, bounds and allowed values are not documented (interface 2.4). */
  readonly config?: DeviceConfig;
  /** `location_aware`, of which nothing more is documented. */
  readonly locationAware?: boolean;
  /** `service_status`, wherever it stands (our reading): `explainStatus` tells what it means. */
  readonly serviceStatus?: string;
  /** What the car is doing (our reading, because the interface does not show its field). */
  readonly chargingStatus?: string;
  /** What may tell who owns the device. */
  readonly personal: PersonalFields;
  /**
   * Every field that is not shown above, under its wire name, where it stands: also one that says otherwise than what is
   * shown, and those of the status, so that one can see where it was found.
   */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface ReportedSettings {
  /** Battery capacity in Wh. */
  readonly maxCapacity?: number;
  /** Maximum charge power in W. */
  readonly maxChargePower?: number;
  /** `CHARGE BY` or `CHARGE BY FORECAST`. */
  readonly policy?: string;
  /** Peak power of the panels in W. */
  readonly peakPower?: number;
  /** Compass bearing that the panels face, in degrees. */
  readonly azimuth?: number;
  /** Degrees from horizontal. */
  readonly tilt?: number;
  /** Power from which the inverter delivers, in W. */
  readonly cutInThreshold?: number;
  /** What the site uses all the time, in W. */
  readonly baseLoad?: number;
}

export interface DeviceConfig {
  readonly optOut?: boolean;
  /** Empty when no end of the opt-out is set. */
  readonly optOutUntil?: string;
  /** Time of day, HH:MM. */
  readonly chargeBy?: string;
  /** Time of day, HH:MM. */
  readonly chargeFrom?: string;
  readonly guaranteedMaxPrice?: number | null;
  /** State of charge in percent. */
  readonly guaranteedSoc?: number | null;
  /** State of charge in percent. */
  readonly targetSoc?: number | null;
}

export interface PersonalFields {
  /** Display title. */
  readonly title?: string;
  readonly displayName?: string;
  /** Identifier of the physical device. */
  readonly physId?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const CONNECTOR_FIELDS = ["title", "display_name", "location_aware"];
const CONFIG_FIELDS = [
  "opt_out",
  "opt_out_until",
  "charge_by",
  "charge_from",
  "guaranteed_max_price",
  "guaranteed_soc",
  "target_soc",
];

/**
 * The view of a device that the cached read answered with.
 * @param inverterFields wire names of inverter settings, where they are configured
 */
export function viewOf(ref: DeviceRef, device: Device, inverterFields: Readonly<Record<string, string>>): DeviceView {
  const { metadata, connector_data, config } = device;
  const devType = deviceTypeOf(device);
  const kinds = [vehicle, withWireNames(inverter, inverterFields)].filter((kind) => !devType || kind.accepts(devType));
  const identity = {
    dev_type: devType,
    dev_make: device.dev_make ?? metadata?.dev_make,
    setup_complete: device.setup_complete ?? metadata?.setup_complete,
  };
  const physicalId = { phys_id: device.phys_id ?? metadata?.phys_id };
  const ofConfig = pick<unknown>(config ?? {}, CONFIG_FIELDS);
  const ofConnector = pick<unknown>(connector_data ?? {}, CONNECTOR_FIELDS);
  const { location_aware, ...names } = ofConnector;
  const view = {
    businessId: ref.businessId,
    deviceId: ref.deviceId,
    ...camelCased({ ...identity, location_aware }),
    reported: Object.assign({}, ...kinds.map((kind) => fromDevice(kind, device))),
    ...(config && { config: camelCased(ofConfig) }),
    ...statusOf(device),
  };

  // Settings may stand in three places, identity in two.
  const settings = Object.assign({}, ...kinds.map((kind) => toPatch(kind, fromDevice(kind, device))));
  const shared = { ...identity, ...physicalId, ...settings };
  const raw = {
    ...without(device, shared),
    ...(metadata && { metadata: without(metadata, shared) }),
    ...(config && { config: without(config, { ...ofConfig, ...settings }) }),
    ...(connector_data && { connector_data: without(connector_data, ofConnector) }),
  };
  const personal = camelCased({ ...names, ...physicalId });
  return Object.defineProperties<Partial<DeviceView>>(view, {
    personal: { value: personal },
    raw: { value: raw },
  }) as DeviceView;
}

/** The fields that have a value, by their names in the SDK. */
function camelCased(fields: Fields): Fields {
  const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[camelCase(name), value]])),
  );
}

/** The fields that have a value, and another one than is shown. */
function without(fields: Fields, shown: Fields): Fields {
  const isLeft = ([name, value]: [string, unknown]) => value !== undefined && value !== shown[name];
  return Object.fromEntries(Object.entries(fields).filter(isLeft));
}
