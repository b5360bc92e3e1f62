/** The charging status: the activity of the car. The service documents these values, but explains none of them. */
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
  /** The charging statuses that appear together with it. */
  readonly appearsWith: readonly ChargingStatus[];
  readonly meaning: string;
  /**
   * Advice on how to reach another status (our reading of the service's documentation). Absent if nothing has to
   * change.
   */
  readonly advice?: string;
}

const { PluggedInCharging, PluggedInStopped } = ChargingStatus;
const ANY = Object.values(ChargingStatus);

const FOR_SOLAR =
  "If the car should wait for solar power, set its policy to CHARGE BY FORECAST, and check its capacity and charge " +
  "power and the values of the inverters.";

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
      "The car is charging outside its charging location, or at a fast charger. The service only watches and " +
      "does not control the charging.",
    advice:
      "At another place or a fast charger, change nothing. If the car is at its charging location, check the location " +
      "that the service has for it. The service does not document how to set it.",
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
      "The car is unplugged, outside its charging location, or has finished charging. The service waits for it to be " +
      "plugged in at a charging location.",
    advice: "Plug the car in at a charging location, unless it has finished charging.",
  },
  inactive_opted_out: {
    appearsWith: ANY,
    meaning: "The car is opted out, so the service does nothing.",
    advice:
      "Opt the car in again in the place where it was opted out. The device's config shows opt_out and opt_out_until; " +
      "the service does not document that an update can set them.",
  },
  inactive_scheduled: {
    appearsWith: ANY,
    meaning:
      "The time is outside the charging window, which is shorter than 24 hours. The service does nothing until the window " +
      "begins.",
    advice:
      "Wait for the charging window, or widen it. It probably lasts from charge_from to charge_by in the device's config; " +
      "the service does not document this.",
  },
  inactive_setup_incomplete: {
    appearsWith: ANY,
    meaning: "The setup is not complete: most likely, the charge-by time is missing. The service does nothing.",
    advice: "Set the charge-by time of the car. The device's config shows it as charge_by.",
  },
};

export function isServiceStatus(text: string): text is ServiceStatus {
  return Object.hasOwn(SERVICE_STATUSES, text);
}

export function isChargingStatus(text: string): text is ChargingStatus {
  return ANY.some((status) => status === text);
}
