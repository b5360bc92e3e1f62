import { isChargingStatus, isServiceStatus, SERVICE_STATUSES } from "./vocabulary";

/** What the status of a vehicle means, as far as the service documents it. */
export interface StatusExplanation {
  /** What the service is doing, and which of the given statuses is not documented. */
  readonly meaning: string;
  /**
   * Whether the two statuses are documented as a pair. Absent where one of them is not documented, or
   * no charging status was given.
   */
  readonly canOccur?: boolean;
  /** What to change for another status. Absent where nothing is to be changed, or nothing is known. */
  readonly advice?: string;
}

/**
 * Explains the status of a vehicle. Never throws: a status that is not documented is named as such.
 * @param serviceStatus what the service is doing, such as `active_waiting`
 * @param chargingStatus what the car is doing, such as `unplugged`
 */
export function explainStatus(serviceStatus: string, chargingStatus?: string): StatusExplanation {
  const undocumented = (what: string, status: string) =>
    `${JSON.stringify(status)} is no ${what} status that the service documents: what it means is not known.`;
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
