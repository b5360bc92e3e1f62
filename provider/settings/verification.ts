import type { Values } from "./setting";

/**
 * What a read-back said about a declared key: `verified`, it shows the declared value; `pending`, it was accepted and
 * the cached read still shows another value; `notReported`, it was accepted and the service does not show this key.
 */
export const VERIFICATIONS = ["verified", "pending", "notReported"] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** How what is declared stands to what the cached read shows. */
export function verify(declared: Values, reported: Values): Record<string, Verification> {
  const compare = (key: string): Verification => {
    if (reported[key] === undefined) return "notReported";
    return reported[key] === declared[key] ? "verified" : "pending";
  };
  return Object.fromEntries(Object.keys(declared).map((key) => [key, compare(key)]));
}
