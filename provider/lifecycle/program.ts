import type { Values } from "../settings/setting";

/** What the engine sends in place of a value that is not known before the update, at any depth and for every type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What only the program knows about one of its resources. It comes with the inputs, for the check, and is not kept. */
export interface ProgramFacts {
  /** The resource, for warnings about it. */
  readonly urn?: string;
  /** By key, the other resource that declares it for the same device. */
  readonly declaredElsewhere?: Readonly<Record<string, string>>;
  /** Why nothing may be sent for this resource. */
  readonly heldBack?: string;
  /** Keys that stay declared as they were, where the program declares nothing for them now. */
  readonly keeps?: readonly string[];
  /** What a live preview found: the values that the service shows, or what is wrong with the device. */
  readonly live?: { readonly values: Values } | { readonly problem: string };
}

/**
 * The facts that are known: one that depends on another resource is not yet, in a preview. One that is undefined arrives
 * as null where it depends on a secret.
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
