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
  // JSON keeps the last of two values with the same key, and knows no merge. The text without white space shows a second
  // key, and more that is not as JSON writes it, such as 1.0.
  const bare = text.replace(/("[^"\\]*(?:\\.[^"\\]*)*"?)|\s+/g, "$1");
  if (isDeep(tree) || JSON.stringify(tree) !== bare || text.includes('"<<"')) return undefined;
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

/** Whether a tree is too deep for the check of a manifest. */
function isDeep(tree: unknown, levels = DEEPEST): boolean {
  const isGroup = typeof tree === "object" && tree !== null;
  return isGroup && (levels === 0 || Object.values(tree).some((one) => isDeep(one, levels - 1)));
}
