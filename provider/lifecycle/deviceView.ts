/** Which device a program reads. */
export interface GetDeviceArgs {
  /** Device identifier at the service. */
  readonly deviceId: string;
  /** The business that the device belongs to. Default: `solar-charging:businessId`. */
  readonly businessId?: string | undefined;
}

/**
 * A device as the cached read shows it. What the service does not report, or reports with another
 * JSON type, is absent. `personal` and `raw` are not enumerable: logs, JSON and state leave them out, and a copy of the
 * view loses them. They are read by name.
 */
export interface GetDeviceResult {
  readonly businessId: string;
  readonly deviceId: string;
  /** Device type; `Electric vehicle` for a vehicle. */
  readonly devType?: string;
  /** Make or integration. */
  readonly devMake?: string;
  /** Whether the setup of the device is complete. */
  readonly setupComplete?: boolean;
  /** The settings that are shown: those of the device's kind, or of both where its type is not shown. */
  readonly reported: ReportedSettings;
  /** Where the device has one. Units, bounds and allowed values are not documented. */
  readonly config?: DeviceConfig;
  /** `location_aware`, of which nothing more is documented. */
  readonly locationAware?: boolean;
  /** `service_status`, wherever it stands (our reading): `explainStatus` explains it. */
  readonly serviceStatus?: string;
  /** What the car is doing (our reading, because the interface does not show its field). */
  readonly chargingStatus?: string;
  /** What may identify the owner of the device. */
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
