/**
 * The charging status: the activity of the car. The service documents these values, and no meaning beyond their names.
 */
export const ChargingStatus = {
  /** Plugged in, and charging. */
  PluggedInCharging: "plugged_in_charging",
  /** Plugged in, and stopped. */
  PluggedInStopped: "plugged_in_stopped",
  /** Plugged in, and finished. */
  PluggedInCompleted: "plugged_in_completed",
  /** Plugged in, with an error. */
  PluggedInError: "plugged_in_error",
  /** Not plugged in. */
  Unplugged: "unplugged",
  /** Not known. */
  Unknown: "unknown",
} as const;
/**
 * A value of `ChargingStatus`.
 * @useDeclaredType
 */
export type ChargingStatus = (typeof ChargingStatus)[keyof typeof ChargingStatus];

/** The service status, `service_status`: the activity of the service with the vehicle. */
export const ServiceStatus = {
  /** Charging at the charging location; the service controls it. */
  ActiveSmartCharging: "active_smart_charging",
  /** Charging elsewhere, a fast charger included; the service only watches. */
  ActiveCharging: "active_charging",
  /** Charging at the charging location from excess solar power. */
  ActiveSolarCharging: "active_solar_charging",
  /** Stopped by the service until prices are lower. */
  ActiveScheduled: "active_scheduled",
  /** Waiting for the car to be plugged in at a charging location. */
  ActiveWaiting: "active_waiting",
  /** The car is opted out. */
  InactiveOptedOut: "inactive_opted_out",
  /** Outside the charging window. */
  InactiveScheduled: "inactive_scheduled",
  /** Key setup is missing, most likely the charge-by time. */
  InactiveSetupIncomplete: "inactive_setup_incomplete",
} as const;
/**
 * A value of `ServiceStatus`.
 * @useDeclaredType
 */
export type ServiceStatus = (typeof ServiceStatus)[keyof typeof ServiceStatus];

interface Entry {
  /** The charging statuses that it appears with. */
  readonly appearsWith: readonly ChargingStatus[];
  readonly meaning: string;
  /** Advice for another status (our reading of what the service documents). Absent: nothing is to be changed. */
  readonly advice?: string;
}

const { PluggedInCharging, PluggedInStopped } = ChargingStatus;
const ANY = Object.values(ChargingStatus);

const FOR_SOLAR =
  "If it should wait for solar power: policy has to be CHARGE BY FORECAST, and the vehicle's capacity and charge power " +
  "and the inverter's metadata have to be right.";

/** Every service status with its charging statuses and its meaning. */
export const SERVICE_STATUSES: Readonly<Record<ServiceStatus, Entry>> = {
  active_smart_charging: {
    appearsWith: [PluggedInCharging],
    meaning: "The car is charging at its charging location, and the service controls the charging.",
    advice: FOR_SOLAR,
  },
  active_charging: {
    appearsWith: [PluggedInCharging],
    meaning:
      "The car is charging outside its charging location, which includes fast chargers: the service only watches and " +
      "does not control the charging.",
    advice:
      "At another place or a fast charger nothing is to be changed. If the car is at its charging location, check the " +
      "location that the service has for it; where that is set is not documented.",
  },
  active_solar_charging: {
    appearsWith: [PluggedInCharging],
    meaning: "The service charges the car at its charging location because excess solar power is available for it.",
  },
  active_scheduled: {
    appearsWith: [PluggedInStopped],
    meaning: "The service has stopped the charging and waits for cheaper prices.",
    advice: FOR_SOLAR,
  },
  active_waiting: {
    appearsWith: ANY.filter((status) => status !== PluggedInCharging),
    meaning:
      "The car is unplugged, outside its charging location, or has finished charging: the service waits for it to be " +
      "plugged in at a charging location.",
    advice: "Plug the car in at a charging location, unless it has finished charging.",
  },
  inactive_opted_out: {
    appearsWith: ANY,
    meaning: "The car is opted out: the service does nothing.",
    advice:
      "See opt_out and opt_out_until in the device's config, and opt the car in again where it was opted out; that the " +
      "device PATCH takes these fields is not documented.",
  },
  inactive_scheduled: {
    appearsWith: ANY,
    meaning:
      "It is outside the charging window, which is shorter than 24 hours: the service does nothing until the permitted " +
      "hours.",
    advice:
      "Wait for the permitted hours, or widen them. Their ends are probably charge_from and charge_by in the device's " +
      "config, which is not documented.",
  },
  inactive_setup_incomplete: {
    appearsWith: ANY,
    meaning: "Key setup is missing, most likely the charge-by time: the service does nothing.",
    advice: "Set the charge-by time (charge_by in the device's config) where it is missing.",
  },
};

export function isServiceStatus(text: string): text is ServiceStatus {
  return Object.hasOwn(SERVICE_STATUSES, text);
}

export function isChargingStatus(text: string): text is ChargingStatus {
  return ANY.some((status) => status === text);
}
