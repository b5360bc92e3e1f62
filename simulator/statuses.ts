export const CHARGING_STATUSES = [
  "plugged_in_charging",
  "plugged_in_stopped",
  "plugged_in_completed",
  "plugged_in_error",
  "unplugged",
  "unknown",
] as const;

/** The charging statuses that each service status appears with, as the service documents them. */
export const APPEARS_WITH = {
  active_smart_charging: ["plugged_in_charging"],
  active_charging: ["plugged_in_charging"],
  active_solar_charging: ["plugged_in_charging"],
  active_scheduled: ["plugged_in_stopped"],
  active_waiting: ["unplugged", "plugged_in_stopped", "plugged_in_completed", "plugged_in_error", "unknown"],
  inactive_opted_out: CHARGING_STATUSES,
  inactive_scheduled: CHARGING_STATUSES,
  inactive_setup_incomplete: CHARGING_STATUSES,
} as const satisfies Record<string, readonly (typeof CHARGING_STATUSES)[number][]>;

/** The documented values of `service_status`. */
export type ServiceStatus = keyof typeof APPEARS_WITH;

/** The documented values of the charging status. */
export type ChargingStatus = (typeof CHARGING_STATUSES)[number];
