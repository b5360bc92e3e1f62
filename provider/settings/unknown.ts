/**
 * The text that the engine sends in place of a value that is unknown before the update. Used at any depth and for
 * every type.
 */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value, or a part of it, is not known yet. */
export function isUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === UNKNOWN;
  return Object.values(value).some(isUnknown);
}
