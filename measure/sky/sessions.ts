/** One charging session of a car, as a charger or a car recorded it. */
export interface Session {
  /** Unix seconds: the times of charging, or those of the plug if the source has no others. */
  readonly start: number;
  readonly end: number;
  /** Hours of charging. Absent if only the times of the plug are known. */
  readonly hours?: number;
  /** Energy that the charger delivered, in Wh. */
  readonly drawn?: number;
  /** Energy that arrived in the battery, in Wh. */
  readonly added?: number;
  /** State of charge before and after, in percent. */
  readonly from?: number;
  readonly to?: number;
  /** Highest power, in W. */
  readonly peak?: number;
  /** Share of solar energy, in percent. */
  readonly solar?: number;
  /** The name of the car; empty if the source does not name it. */
  readonly car: string;
}

/** The reasons why a file does not show a value. */
export type NotEnough =
  | "noStateOfCharge"
  | "fewSessions"
  | "unusableSessions"
  | "plugTimes"
  | "onlySurplus"
  | "variesTooMuch";

/** A mean power above this, in W, comes from a charger with direct current. */
export const FAST = 25_000;

/** Whether a session was at a charger with direct current. */
export function isFast({ hours, drawn, added }: Session): boolean {
  return hours !== undefined && (drawn ?? added ?? 0) / hours > FAST;
}
