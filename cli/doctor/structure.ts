import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Check, failed, ok } from "./check";

/**
 * JSON types by the paths at which they stand: `config.target_soc` → `number`, `list[].a` → `null|string`. No values.
 */
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
 * The structure of a device object, independent of the order of its keys.
 * @param identities ids and names in the object: keys that are equal to one of them are masked
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

/** The differences of two structures, a line for each path. */
export interface Changes {
  readonly appeared: readonly string[];
  readonly disappeared: readonly string[];
  /** `config.target_soc: number, was string`. */
  readonly retyped: readonly string[];
}

/**
 * Compares two structures. Null and an empty list say nothing about their possible content, and a masked key is data
 * that comes and goes. So such paths, and all paths below them, count as equal.
 */
export function structureChanges(before: Structure, after: Structure): Changes {
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

/** The types without null, which any value may be temporarily. */
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

/** The shape of a device object to keep and compare. It contains no value. */
export interface Fingerprint {
  /** Equal for equal structures. Different hashes may still mean no change: call `compare`. */
  readonly hash: string;
  readonly structure: Structure;
}

const schema = z.object({ hash: z.string(), structure: z.record(z.string(), z.string()) });

export function fingerprintOf(structure: Structure): Fingerprint {
  return { hash: createHash("sha256").update(JSON.stringify(structure)).digest("hex"), structure };
}

/** @throws Error if the file is not a fingerprint */
export function readFingerprint(file: string): Fingerprint {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "does not exist" : "is not a fingerprint";
    throw new Error(`${file} ${reason}. Write one with: solar-charging doctor --device ID --fingerprint > ${file}`);
  }
}

export function changesCheck(
  file: string,
  before: Fingerprint,
  after: Fingerprint,
): { check: Check; changes: Changes } {
  const changes = structureChanges(before.structure, after.structure);
  const { appeared, disappeared, retyped } = changes;
  const lines = [
    ...appeared.map((path) => `appeared      ${path}`),
    ...disappeared.map((path) => `disappeared   ${path}`),
    ...retyped.map((path) => `type changed  ${path}`),
  ];
  const name = "fingerprint";
  if (lines.length === 0) return { check: ok(name, `the fields are those of ${file}`), changes };
  const advice = [...lines, `Check whether the service has changed, then write a new ${file}`].join("\n    ");
  return { check: failed(name, `the fields differ from ${file}`, advice), changes };
}
