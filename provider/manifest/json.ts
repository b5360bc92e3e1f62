import { isObject } from "../settings/objects";
import { type Source, UnreadableError } from "./source";
import { DEEPEST, readYaml } from "./yaml";

/**
 * Reads a manifest in JSON. The parser of YAML could read it too, but takes ten times as long. Undefined for all that
 * JSON would read otherwise, or not at all: that parser says what is wrong with it.
 * @throws UnreadableError for a comment, which YAML would read as the beginning of the key or text after it
 */
export function readJson(text: string): Source | undefined {
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch {
    refuseComment(text);
    return undefined;
  }
  // JSON keeps the last of two values with the same key, and knows no merge.
  if (keysIn(tree) !== keysWritten(text) || text.includes('"<<"')) return undefined;
  let places: Source | undefined;
  return {
    tree,
    at(path, what) {
      places ??= readYaml(text);
      return places.at(path, what);
    },
  };
}

/** The signs that begin a comment in a text that begins as JSON. Texts in quotes and comments of YAML are skipped. */
const COMMENT = /"(?:[^"\\]|\\.)*"?|(?<=^|[\s,{}[\]]|":)(?:'[^']*'?|#.*|(\/\/|\/\*))/g;

function refuseComment(text: string): void {
  if (!/^\s*(?:\{|\/[/*])/.test(text)) return;
  const found = [...text.matchAll(COMMENT)].find(([, sign]) => sign !== undefined);
  if (!found) return;
  const before = text.slice(0, found.index).split("\n");
  const message = `${found[1]} begins a comment, and JSON has none: remove it, or write the manifest in YAML, where # begins one`;
  throw new UnreadableError([{ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message }]);
}

/** The number of keys in a tree; undefined if it is too deep for the check of a manifest. */
function keysIn(tree: unknown): number | undefined {
  let keys = 0;
  let level = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return undefined;
    level = level.flatMap((value) => {
      if (Array.isArray(value)) return value;
      if (!isObject(value)) return [];
      const values = Object.values(value);
      keys += values.length;
      return values;
    });
  }
  return keys;
}

/** The number of keys in a text of valid JSON: the strings before a colon. */
function keysWritten(text: string): number {
  const colon = /\s*:/y;
  let keys = 0;
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    do quote = text.indexOf('"', quote + 1);
    while (isEscaped(text, quote));
    colon.lastIndex = quote + 1;
    if (colon.test(text)) keys++;
  }
  return keys;
}

/** Whether an odd number of backslashes stands before a sign. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === "\\") start--;
  return (at - start) % 2 === 1;
}
