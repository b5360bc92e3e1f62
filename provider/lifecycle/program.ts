import type { Message } from "../messages/message";
import type { Values } from "../settings/setting";

/** What the engine sends in place of a value that is not known before the update, at any depth and for every type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What a live preview found of one device: the values that the service shows, or what is wrong with the device. */
export type LiveDevice = { readonly values: Values } | { readonly problem: Message };

/** What only the program knows about one of its resources. It comes with the inputs, for the check, and is not kept. */
export interface ProgramFacts {
  /** The resource, for warnings about it. */
  readonly urn?: string;
  /** Whether this is a preview. */
  readonly isPreview?: boolean;
  /** Whether the program declares an inverter, of any site. */
  readonly hasInverter?: boolean;
  /** The paths of inputs that are secrets: `maxCapacity`, `vehicles.car.maxCapacity`. */
  readonly secrets?: readonly string[];
  /** What a live preview found of the device. */
  readonly live?: LiveDevice;
  /** The same of the devices of a site, by their labels. */
  readonly liveDevices?: Readonly<Record<string, LiveDevice | undefined>>;
}

/**
 * The facts that are known: one that depends on another resource is not yet, in a preview. One that is undefined arrives
 * as null if it depends on a secret.
 */
export function knownFacts(facts: unknown): ProgramFacts {
  const known = Object.entries(facts ?? {}).filter(([, fact]) => fact !== UNKNOWN && fact !== null);
  return Object.fromEntries(known);
}

/** Whether a value, or one inside it, is not known yet. */
export function isUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === UNKNOWN;
  return Object.values(value).some(isUnknown);
}
