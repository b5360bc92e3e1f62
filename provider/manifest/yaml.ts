import {
  Composer,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
} from "yaml";
import { type Path, type Position, type Source, UnreadableError } from "./source";

/**
 * Maximum number of values of a manifest, with each alias counted as all the values that it stands for (our choice).
 * Without this limit, a few nested aliases could expand to billions of values.
 */
const MOST_VALUES = 5_000_000;

/** Deepest nesting of values (our choice; a manifest needs six). The parser recurses for each level. */
export const DEEPEST = 50;

type Targets = ReadonlyMap<unknown, Node>;
type NodePlace = (offset: number) => Position;
type Refusal = (node: Node, message: string) => UnreadableError;

/** Reads a manifest in YAML or JSON. @throws UnreadableError with all syntax problems */
export function readYaml(text: string): Source {
  const [before = "", conflict] = text.split(/^<{7} /m, 2);
  if (conflict !== undefined)
    throw new UnreadableError([{ line: before.split("\n").length, column: 1, message: CONFLICT }]);
  const lines = new LineCounter();
  const place: NodePlace = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const document = documentIn(text, lines, place);
  const targets = aliasesOf(document, place);
  return {
    // No limit here, because `MOST_VALUES` covers aliases: ten thousand devices may well share one.
    tree: document.toJS({ maxAliasCount: -1 }),
    at(path, what) {
      return place(offsetOf(document.contents, targets, path, what));
    },
  };
}

function documentIn(text: string, lines: LineCounter, place: NodePlace): Document {
  // Version 1.1, which a file can request, would read the azimuth N as "no". As strings, keys such as 007 stay
  // unchanged. Unique keys are checked below, because the parser compares each key with every other.
  const options = { schema: "core", merge: true, stringKeys: true, uniqueKeys: false, prettyErrors: false } as const;
  const [document, second] = new Composer(options).compose(tokensOf(text, lines, place), true, text.length);
  const problems = [...(document?.errors ?? []), ...(document?.warnings ?? [])].map(({ code, message, pos }) => ({
    ...place(pos[0]),
    message: syntaxProblem(code, message, text.slice(...pos)),
  }));
  if (second) problems.push({ ...place(second.range[0]), message: SYNTAX.MULTIPLE_DOCS });
  // Further problems of a line follow from its first one.
  const ofLines = new Map([...problems].reverse().map((problem) => [problem.line, problem]));
  if (ofLines.size > 0) throw new UnreadableError([...ofLines.values()].reverse());
  return document as Document;
}

const CONFLICT =
  "this line begins a conflict of a merge: keep the right lines, and remove those with <<<<<<<, ======= and >>>>>>>";
const INDENT = "this line is indented otherwise than the lines around it: indent all keys of one object alike";
const TAG = "is not possible in a manifest: remove it, and write the value itself";
const KEY = "this is not a key with a value: write key: value in one line";

/** The mistakes of syntax, by the parser's code. */
const SYNTAX: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "this has a name with & or ! before one with *: remove it",
  BAD_ALIAS: "this has no name after & or *: use letters and digits, or put the text in quotes",
  BAD_COLLECTION_TYPE: `a tag ${TAG}`,
  BAD_DIRECTIVE: "this line is a directive that YAML does not know: remove it",
  BAD_DQ_ESCAPE: "this text has a backslash that YAML does not know: write it twice, or use single quotes",
  BAD_INDENT: INDENT,
  BAD_PROP_ORDER: "this has a name with & or ! at the wrong place: write it directly before the value",
  BAD_SCALAR_START: "this value starts with a sign that YAML reserves: put it in quotes",
  BLOCK_AS_IMPLICIT_KEY: "there are two keys in this line: give each its own line, or put the value in quotes",
  BLOCK_IN_FLOW: "this cannot be within brackets: write it with brackets too, or all of it without",
  DUPLICATE_KEY: "the key appears twice: remove one",
  IMPOSSIBLE: KEY,
  KEY_OVER_1024_CHARS: "this key has more than 1024 characters: shorten it",
  MISSING_CHAR: "a colon is missing here, or a space after a sign: write key: value",
  MULTILINE_IMPLICIT_KEY: KEY,
  MULTIPLE_ANCHORS: "this value has two names with &: remove one",
  MULTIPLE_DOCS: "--- begins a second manifest: keep one of them in this file",
  MULTIPLE_TAGS: `a tag ${TAG}`,
  NON_STRING_KEY: "this key is not a name: write a text as the key",
  RESOURCE_EXHAUSTION: "this is nested too deeply: flatten it",
  TAB_AS_INDENT: "a tab indents this line: indent with spaces",
  TAG_RESOLVE_FAILED: `a tag ${TAG}`,
  UNEXPECTED_TOKEN: "this is not expected here: remove it, or put the text in quotes",
};

/** The sign that is missing, which only the parser's own words name. */
const MISSING = /^Missing closing (["'])|^Missing (,)| end with a ([\]}])$/;

/** The problem that the parser found. Its own words name tokens that no user knows. @param given the text at its place */
function syntaxProblem(code: ErrorCode, message: string, given: string): string {
  const missing = MISSING.exec(message)?.slice(1).find(Boolean);
  if (missing !== undefined) return `the sign ${missing} is missing here, or in a line before: add it`;
  return code === "TAG_RESOLVE_FAILED" ? `the tag ${given.split(/\s/)[0]} ${TAG}` : SYNTAX[code];
}

/** The tokens of a text up to the deepest allowed nesting. Deeper texts would overflow the parser's stack. */
function* tokensOf(text: string, lines: LineCounter, place: NodePlace) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > DEEPEST)
      throw new UnreadableError([
        { ...place(offset), message: `this is nested more than ${DEEPEST} levels deep: flatten it` },
      ]);
    offset = parser.offset;
  }
  yield* parser.end();
}

/**
 * The value of each alias. (The parser's own `resolve` searches the whole document for each alias.)
 * @throws UnreadableError for aliases that contain themselves, and for too many values
 */
function aliasesOf(document: Document, place: NodePlace): Targets {
  const targets = new Map<unknown, Node>();
  const anchors = new Map<string, Node>();
  const sizes = new Map<unknown, number>();
  const refusal: Refusal = (node, message) => new UnreadableError([{ ...place(node.range?.[0] ?? 0), message }]);
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target)
        throw refusal(
          node,
          `*${node.source} refers to no value: write &${node.source} before a value above this line, or put *${node.source} in quotes`,
        );
      targets.set(node, target);
      const size = isScalar(target) ? 1 : sizes.get(target);
      if (size === undefined)
        throw refusal(node, `*${node.source} refers to a value that contains *${node.source} itself: remove it`);
      return size;
    }
    if (isNode(node) && node.anchor) anchors.set(node.anchor, node);
    if (!isMap(node) && !isSeq(node)) return 1;
    if (isMap(node)) refuseSecondKeys(node, refusal);
    const size = node.items.reduce((sum: number, item: unknown) => sum + sizeOf(item), 1);
    sizes.set(node, size);
    if (isMap(node)) refuseWrongMerges(node, targets, refusal);
    if (size > MOST_VALUES)
      throw refusal(node, `names with * make more than ${MOST_VALUES} values of this: use fewer of them`);
    return size;
  };
  sizeOf(document.contents);
  return targets;
}

/** @throws UnreadableError for a duplicate key */
function refuseSecondKeys({ items }: YAMLMap, refusal: Refusal): void {
  const keys = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key) || isMerge(key)) continue;
    if (keys.has(key.value)) throw refusal(key, `the key '${key.value}' appears twice: remove one`);
    keys.add(key.value);
  }
}

/** @throws UnreadableError for a merge of anything but maps, which the parser would report without a place */
function refuseWrongMerges({ items }: YAMLMap, targets: Targets, refusal: Refusal): void {
  const resolved = (node: unknown) => targets.get(node) ?? node;
  for (const { key, value } of items) {
    if (!isMerge(key)) continue;
    const source = resolved(value);
    const maps = isSeq(source) ? source.items.map(resolved) : [source];
    if (!maps.every((one) => isMap(one)))
      throw refusal(
        key as Node,
        "<< adds the keys of another value: write the name of that value after it, such as *name",
      );
  }
}

function isMerge(key: unknown): boolean {
  return isScalar(key) && key.source === "<<";
}

/** Offset of the node at a path, or of its last ancestor that exists. */
function offsetOf(root: unknown, targets: Targets, path: Path, what: "key" | "value"): number {
  let node = root;
  let offset = startOf(node) ?? 0;
  for (const [index, part] of path.entries()) {
    const found = stepInto(node, targets, part);
    if (!found) return offset;
    const target = index === path.length - 1 && what === "key" ? found.key : found.value;
    offset = startOf(target) ?? startOf(found.key) ?? offset;
    node = found.value;
  }
  return offset;
}

function stepInto(given: unknown, targets: Targets, part: string): { key: unknown; value: unknown } | undefined {
  const node = targets.get(given) ?? given;
  if (isSeq(node)) {
    const item = node.items[Number(part)];
    return item === undefined ? undefined : { key: item, value: item };
  }
  if (!isMap(node)) return undefined;
  const own = node.items.find(({ key }) => isScalar(key) && key.value === part);
  if (own) return own;
  const merged = node.items.find(({ key }) => isMerge(key))?.value;
  for (const source of isSeq(merged) ? merged.items : [merged]) {
    const found = stepInto(source, targets, part);
    if (found) return found;
  }
  return undefined;
}

function startOf(node: unknown): number | undefined {
  const range = (node as Node | null | undefined)?.range;
  return range?.[0];
}
