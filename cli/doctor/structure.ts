import { createHash } from "node:crypto";

/** JSON types by the paths at which they stand: `config.target_soc` → `number`, `list[].a` → `null|string`. No values. */
export type Structure = Readonly<Record<string, string>>;

/** Stands for a key that may be an id, a date or a name. */
const MASK = "*";

/** Deepest level that is looked into, and most fields (our choice): a device object has three levels and a few dozen. */
const DEEPEST = 20;
const MOST_FIELDS = 10_000;

/**
 * The structure of a device object, the same for every order of its keys.
 * @param identities ids and names in it: if one of them is a key, it is masked
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

/** A hash. Equal structures have equal hashes. */
export function hashOf(structure: Structure): string {
  return createHash("sha256").update(JSON.stringify(structure)).digest("hex");
}

function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/**
 * A key as it may be shown: masked if it is one of the identities or does not look like the name of a field, which
 * begins with a letter, has no spaces or other signs and at most three digits (our choice).
 */
export function maskedKey(key: string, identities: ReadonlySet<string>): string {
  const digits = key.replace(/\D/g, "").length;
  const isHash = /^[0-9a-f]{8,}$/i.test(key) && digits > 0;
  const isName = /^[a-z_$][a-z0-9_$-]{0,63}$/i.test(key) && digits <= 3 && !isHash;
  return isName && !identities.has(key) ? key : MASK;
}

/** What changed between two structures, a line for each path. */
export interface Changes {
  readonly appeared: readonly string[];
  readonly disappeared: readonly string[];
  /** `config.target_soc: number, was string`. */
  readonly retyped: readonly string[];
}

/**
 * Compares two structures. What is null, or an empty list, in one of them says nothing about what can stand there, and a
 * masked key is data that comes and goes: such paths are equal to everything, with what is below them.
 */
export function compare(before: Structure, after: Structure): Changes {
  const isOpen = openIn([before, after]);
  const paths = (of: Structure, without: Structure) =>
    Object.keys(of).filter((path) => !Object.hasOwn(without, path) && !isOpen(path));
  const retyped = Object.keys(after).filter(
    (path) => Object.hasOwn(before, path) && bare(before[path]) !== bare(after[path]) && !isOpen(path),
  );
  return {
    appeared: paths(after, before).map((path) => `${path}: ${after[path]}`),
    disappeared: paths(before, after).map((path) => `${path}: ${before[path]}`),
    retyped: retyped.map((path) => `${path}: ${after[path]}, was ${before[path]}`),
  };
}

/** The types without null, which any value may be for a time. */
function bare(types = ""): string {
  return types
    .split("|")
    .filter((type) => type !== "null")
    .join("|");
}

function openIn(structures: readonly Structure[]): (path: string) => boolean {
  const paths = structures.flatMap(Object.keys);
  const open = structures.flatMap((structure) => {
    const nulls = Object.keys(structure).filter((path) => structure[path] === "null");
    const absent = paths.filter((path) => /(\[\]|(^|\.)\*)$/.test(path) && !Object.hasOwn(structure, path));
    return [...nulls, ...absent.filter((path) => ["", "array", "object"].includes(typeOf(structure, parentOf(path))))];
  });
  const roots = new Set(open);
  return (path) => {
    for (let at = path; at !== ""; at = parentOf(at)) if (roots.has(at)) return true;
    return false;
  };
}

function typeOf(structure: Structure, path: string): string {
  return path === "" ? "" : bare(structure[path] ?? "undefined");
}

function parentOf(path: string): string {
  return path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf(".")));
}
