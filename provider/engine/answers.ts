import { GROUP_NAMES } from "../settings/groups";
import type { Properties } from "../settings/objects";
import type { Problem } from "../settings/schema";

/**
 * A problem in the engine's form. The engine prints the value of the property that it names, even a secret one. For a
 * nested property, it would print the whole top-level value: all devices of a site, with their secrets.
 */
export function failureOf({ property, reason, isSecret }: Problem): { property: string; reason: string } {
  const holdsDevices = property.includes(".") || GROUP_NAMES.some((group) => group === property);
  return holdsDevices || isSecret ? { property: "", reason: `${property} ${reason}` } : { property, reason };
}

/** The engine's marker of a special value, and its marker of a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** A value that the engine encrypts in state and hides from the screen. */
export function sealed(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}

/** Whether a value in state or in a request is a secret. */
export function isSealed(value: Properties): boolean {
  return value[SIGNATURE] === SECRET;
}

/** Properties as plain JSON. Without this, an `undefined` would fail the operation after the device was changed. */
export function jsonClean(properties: Properties): Record<string, unknown> {
  return JSON.parse(JSON.stringify(properties));
}
