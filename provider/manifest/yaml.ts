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
const DEEPEST = 50;

type Targets = ReadonlyMap<unknown, Node>;
type NodePlace = (offset: number) => Position;

/** Reads a manifest in YAML or JSON. @throws UnreadableError with all syntax problems */
export function readYaml(text: string): Source {
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
    message:
      code === "TAG_RESOLVE_FAILED" ? tagProblem(text.slice(...pos)) : (SYNTAX[code] ?? `${message}: correct the YAML`),
  }));
  if (second)
    problems.push({ ...place(second.range[0]), message: "there is a second document: a manifest can have only one" });
  if (problems.length > 0) throw new UnreadableError(problems);
  return document as Document;
}

/** The frequent mistakes of syntax, by the parser's code. */
const SYNTAX: Readonly<Partial<Record<ErrorCode, string>>> = {
  TAB_AS_INDENT: "a tab indents this line: indent with spaces",
  BAD_INDENT: "is indented otherwise than the lines around it: indent all keys of one object alike",
  MULTILINE_IMPLICIT_KEY: "is not a key with a value: write key: value in one line",
  BLOCK_AS_IMPLICIT_KEY: "has two keys in one line: give each its own line, or put the value in quotes",
  BAD_SCALAR_START: "starts with a sign that YAML reserves: put the value in quotes",
};

/** The problem of a tag, such as `!secret`, or `!!int` before a word. */
function tagProblem(tag: string): string {
  return `the tag ${tag.split(/\s/)[0]} is not possible in a manifest: remove it, and write the value itself`;
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
        { ...place(offset), message: `is nested more than ${DEEPEST} levels deep: flatten it` },
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
  const refusal = (node: Node, message: string) => new UnreadableError([{ ...place(node.range?.[0] ?? 0), message }]);
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target) throw refusal(node, `*${node.source} has no anchor: write &${node.source} before it`);
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
    if (size > MOST_VALUES)
      throw refusal(node, `aliases expand this to more than ${MOST_VALUES} values: use fewer aliases`);
    return size;
  };
  sizeOf(document.contents);
  return targets;
}

/** @throws UnreadableError for a duplicate key */
function refuseSecondKeys({ items }: YAMLMap, refusal: (node: Node, message: string) => UnreadableError): void {
  const keys = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key) || key.source === "<<") continue;
    if (keys.has(key.value)) throw refusal(key, `the key '${key.value}' appears twice: remove one`);
    keys.add(key.value);
  }
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
  const merged = node.items.find(({ key }) => isScalar(key) && key.source === "<<")?.value;
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
