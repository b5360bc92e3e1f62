/** The statuses of a setting, by name. A setting whose declared value the cached read shows has none. */
export const SettingStatus = {
  /** The service accepted the value, and still shows the earlier one. */
  Pending: "pending",
  /** The service accepted the value and keeps another one. */
  Adjusted: "adjusted",
  /** The service accepted the value and does not show the setting. */
  NotReported: "notReported",
  /** A refresh found a value that somebody else set. */
  Drifted: "drifted",
  /** A refresh found a value that somebody else set, and `onDrift` keeps it. */
  Kept: "kept",
  /** An update was sent, and it is not known whether it was applied. */
  Uncertain: "uncertain",
  /** The service reports the setting, and the program does not declare it. */
  Unmanaged: "unmanaged",
} as const;
/**
 * The status of a setting. None if the cached read shows the declared value.
 *
 * - `pending`: the service accepted the value, and still shows the earlier one
 * - `adjusted`: the service accepted the value and keeps another one, for example because it rounds or caps values
 * - `notReported`: the service accepted the value and does not show the setting
 * - `drifted`: a refresh found a value that somebody else set
 * - `kept`: a refresh found a value that somebody else set, and `onDrift` keeps it
 * - `uncertain`: an update was sent, and it is not known whether it was applied
 * - `unmanaged`: the service reports the setting, and the program does not declare it
 *
 * @useDeclaredType
 */
export type SettingStatus = (typeof SettingStatus)[keyof typeof SettingStatus];
