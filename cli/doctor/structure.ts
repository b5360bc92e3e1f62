/** The JSON type at each path: `config.target_soc` → `number`, `list[].a` → `null|string`. No values. */
export type Structure = Readonly<Record<string, string>>;

/** Replaces a key that may be an id, a date or a name. */
const MASK = "*";

/**
 * Maximum level and maximum number of fields that are read (our choice): a device object has three levels and a few
 * dozen fields.
 */
const DEEPEST = 20;
const MOST_FIELDS = 10_000;

/**
 * The structure of a device object. The order of its keys does not matter.
 * @param identities ids and names in the object: a key that is equal to one of them is masked
 */
export function structureOf(device: object, identities: ReadonlySet<string>): Structure {
  const types = new Map<string, Set<string>>();
  let fields = 0;
  const visit = (value: unknown, path: string, depth: number): void => {
    if (path !== "") types.set(path, (types.get(path) ?? new Set()).add(jsonType(value)));
    if (typeof value !== "object" || value === null || depth > DEEPEST) return;
    for (const [key, inner] of Object.entries(value)) {
      if (++fields > MOST_FIELDS) return;
      const at = Array.isArray(value) ? `${path}[]` : `${path && `${path}.`}${maskedKey(key, identities)}`;
      visit(inner, at, depth + 1);
    }
  };
  visit(device, "", 0);
  const sorted = [...types].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([path, found]) => [path, [...found].sort().join("|")]));
}

function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/**
 * A key that is safe to show. It is masked if it is an identity or does not look like a field name, which begins with
 * a letter and has only letters, underscores and at most three digits (our choice).
 */
export function maskedKey(key: string, identities: ReadonlySet<string>): string {
  const digits = key.replace(/\D/g, "").length;
  const isHash = /^[0-9a-f]{8,}$/i.test(key) && digits > 0;
  const isName = /^[a-z_$][a-z0-9_$-]{0,63}$/i.test(key) && digits <= 3 && !isHash;
  return isName && !identities.has(key) ? key : MASK;
}
