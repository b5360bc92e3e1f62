import { isChargingStatus, isServiceStatus, SERVICE_STATUSES } from "./vocabulary";

/** The meaning of a vehicle's status, as far as the service documents it. */
export interface StatusExplanation {
  /** The meaning of the status, and which of the given statuses is not documented. */
  readonly meaning: string;
  /**
   * Whether the service documents the two statuses as a pair. Absent if one of them is not documented, or
   * no charging status was given.
   */
  readonly canOccur?: boolean;
  /** Advice on how to reach another status. Absent if nothing has to change, or nothing is known. */
  readonly advice?: string;
}

/**
 * Explains the status of a vehicle. It never throws: if a status is not documented, `meaning` says so.
 * @param serviceStatus the activity of the service, such as `active_waiting`
 * @param chargingStatus the activity of the car, such as `unplugged`
 * @example
 * const { meaning, advice } = explainStatus("active_waiting", "unplugged");
 */
export function explainStatus(serviceStatus: string, chargingStatus?: string): StatusExplanation {
  const undocumented = (what: string, status: string) =>
    `${JSON.stringify(status)} is not a documented ${what} status: its meaning is not known.`;
  const isStranger = chargingStatus !== undefined && !isChargingStatus(chargingStatus);
  const stranger = isStranger ? ` ${undocumented("charging", chargingStatus)}` : "";

  if (!isServiceStatus(serviceStatus)) return { meaning: undocumented("service", serviceStatus) + stranger };
  const { meaning, advice, appearsWith } = SERVICE_STATUSES[serviceStatus];
  return {
    meaning: meaning + stranger,
    ...(chargingStatus !== undefined && !isStranger && { canOccur: appearsWith.some((one) => one === chargingStatus) }),
    ...(advice && { advice }),
  };
}
