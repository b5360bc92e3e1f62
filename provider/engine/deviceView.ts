/** The device that a function reads. */
export interface GetDeviceArgs {
  /** Device identifier at the service. */
  readonly deviceId: string;
  /** The business that the device belongs to. Default: `solar-charging:businessId`. */
  readonly businessId?: string | undefined;
}

/**
 * A device as the cached read shows it. A field that the service does not report, or reports with another JSON type, is
 * absent. `personal` and `raw` are not enumerable: logs, JSON and state leave them out, and so does a copy of the
 * object. Read them by name.
 */
export interface GetDeviceResult {
  /** The business that the device was read from. */
  readonly businessId: string;
  /** Device identifier at the service. */
  readonly deviceId: string;
  /** Device type; `Electric vehicle` for a vehicle. */
  readonly devType?: string;
  /** Make or integration. */
  readonly devMake?: string;
  /** Whether the setup of the device is complete. */
  readonly setupComplete?: boolean;
  /** The reported settings: of the device's kind, or of both kinds if its type is not shown. */
  readonly reported: ReportedSettings;
  /** Absent if the device has none. Units, bounds and allowed values are not documented. */
  readonly config?: DeviceConfig;
  /** `location_aware`, of which nothing more is documented. */
  readonly locationAware?: boolean;
  /** The service status, from the first place of the answer that has one (our reading). `explainStatus` explains it. */
  readonly serviceStatus?: string;
  /** The activity of the car (our reading: the service does not document its field). */
  readonly chargingStatus?: string;
  /** The fields that may identify the owner of the device. */
  readonly personal: PersonalFields;
  /**
   * Every field that has no type here, under its wire name and in its place. It also has the fields of the status, and
   * fields that contradict a typed field, so that you can see where each value comes from.
   */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The settings that a device reports, by key. A setting that the service does not show is absent. */
export interface ReportedSettings {
  /** Battery capacity, which caps how much energy a plan can target. Unit: Wh. */
  readonly maxCapacity?: number;
  /** Maximum charge power, which caps the solar power that the service credits to the car per hour. Unit: W. */
  readonly maxChargePower?: number;
  /** Charging policy: CHARGE BY goes by price alone, CHARGE BY FORECAST by the solar forecast too. */
  readonly policy?: string;
  /** Peak power of the panels. Unit: W. */
  readonly peakPower?: number;
  /** Where the panels face, as a compass bearing: 0 north, 90 east, 180 south, 270 west. Unit: degrees. */
  readonly azimuth?: number;
  /** The angle of the panels, from horizontal: 0 flat, 90 upright. Unit: degrees. */
  readonly tilt?: number;
  /** Power from which the inverter delivers. Unit: W. */
  readonly cutInThreshold?: number;
  /** Power that the site uses all the time. Unit: W. */
  readonly baseLoad?: number;
}

/** The `config` of a device. The service documents no units, bounds or allowed values. */
export interface DeviceConfig {
  /** Whether the car is opted out: the service then does nothing. */
  readonly optOut?: boolean;
  /** The end of the opt-out; empty if none is set. */
  readonly optOutUntil?: string;
  /** Time of day, HH:MM. */
  readonly chargeBy?: string;
  /** Time of day, HH:MM. */
  readonly chargeFrom?: string;
  /** Price; its currency and unit are not documented. */
  readonly guaranteedMaxPrice?: number | null;
  /** State of charge in percent. */
  readonly guaranteedSoc?: number | null;
  /** State of charge in percent. */
  readonly targetSoc?: number | null;
}

/** Fields of a device that may identify its owner. */
export interface PersonalFields {
  /** Display title. */
  readonly title?: string;
  /** Name as it is shown to people. */
  readonly displayName?: string;
  /** Identifier of the physical device. */
  readonly physId?: string;
}
