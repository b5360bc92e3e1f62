import { GROUPS } from "../settings/readiness";
import type { Problem } from "../settings/schema";

/**
 * A problem as the engine shows it. The engine prints the value of the property, also if that is a secret, and a nested one
 * has no value for it: without this, it would print all devices of a site, secrets among them.
 */
export function failureOf({ property, reason, isSecret }: Problem): { property: string; reason: string } {
  const holdsDevices = property.includes(".") || property in GROUPS;
  return holdsDevices || isSecret ? { property: "", reason: `${property} ${reason}` } : { property, reason };
}

/** The engine takes plain JSON only: an `undefined` in it would fail the operation after the device was changed. */
export function jsonClean(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(properties));
}
