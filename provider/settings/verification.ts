import type { Values } from "./setting";

export const VERIFICATIONS = ["verified", "pending", "adjusted", "notReported"] as const;
/**
 * How an accepted setting reads back: `verified`, the cached read shows the declared value; `pending`, it still shows
 * the earlier value; `adjusted`, the service accepted the value and keeps another one, as if it rounds or caps it;
 * `notReported`, the service does not show this setting.
 * @useDeclaredType
 */
export type Verification = (typeof VERIFICATIONS)[number];

/** The facts that distinguish an adjusted value from one that the cache does not show yet. */
export interface Earlier {
  /** The values that were reported before. */
  readonly reported: Values;
  /** The values that were declared before: a cache that is far behind can still show them. */
  readonly values: Values;
  /** How settings read back before. */
  readonly verification: Readonly<Record<string, Verification>>;
  /** Whether a setting was sent since then. */
  readonly isSent: (key: string) => boolean;
}

/** How what is declared stands to what the cached read shows. */
export function verify(declared: Values, reported: Values, earlier?: Earlier): Record<string, Verification> {
  const compare = (key: string): Verification => {
    if (reported[key] === undefined) return "notReported";
    if (reported[key] === declared[key]) return "verified";
    if (!earlier) return "pending";
    const isAsReported = reported[key] === earlier.reported[key];
    if (!earlier.isSent(key)) return isAsReported && earlier.verification[key] === "adjusted" ? "adjusted" : "pending";
    return isAsReported || reported[key] === earlier.values[key] ? "pending" : "adjusted";
  };
  return Object.fromEntries(Object.keys(declared).map((key) => [key, compare(key)]));
}
