/** The fields of an object whose form is not known: inputs and outputs of the engine, JSON, YAML. */
export type Properties = Readonly<Record<string, unknown>>;

/** Whether a value of JSON or YAML is an object with fields. */
export function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object has no properties. */
export function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}

/** The values of these keys. A key without a value is left out. */
export function pick<T>(values: Readonly<Record<string, T>>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(keys.filter((key) => values[key] !== undefined).map((key) => [key, values[key] as T]));
}

export function omit<T>(values: Readonly<Record<string, T>>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}

type Optional<Fields> = { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]: Fields[Key] };

/** Fields of which those that can be undefined are optional instead. */
type Defined<Fields> = Omit<Fields, keyof Optional<Fields>> & {
  [Key in keyof Optional<Fields>]?: Exclude<Fields[Key & keyof Fields], undefined>;
};

/** The fields that have a value. In JSON and in comparisons, an undefined field would differ from an absent one. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

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
