type Optional<Fields> = { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]: Fields[Key] };

/** Fields of which those that can be undefined are optional instead. */
type Defined<Fields> = Omit<Fields, keyof Optional<Fields>> & {
  [Key in keyof Optional<Fields>]?: Exclude<Fields[Key & keyof Fields], undefined>;
};

/** The fields that have a value. In JSON and in comparisons, an undefined field would differ from an absent one. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
