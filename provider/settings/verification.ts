export const SETTING_STATUSES = [
  "verified",
  "pending",
  "adjusted",
  "notReported",
  "drifted",
  "uncertain",
  "unmanaged",
] as const;
/**
 * The status of a setting: `verified`, the cached read shows the declared value; `pending`, the service accepted it, and still
 * shows the earlier value; `adjusted`, the service accepted it and keeps another one, as if it rounds or caps it;
 * `notReported`, the service accepted it and does not show this setting; `drifted`, a refresh found a value that somebody
 * else set; `uncertain`, an update was sent and nobody knows whether it was applied; `unmanaged`, the service reports the
 * setting and the program does not declare it.
 * @useDeclaredType
 */
export type SettingStatus = (typeof SETTING_STATUSES)[number];
