import {
  Composer,
  type Document,
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
 * Most values that a manifest has, each alias counted for all that it stands for: a bomb of aliases has more (our
 * choice).
 */
const MOST_VALUES = 5_000_000;

/** How deep values may be nested (our choice; a manifest needs six): the parser calls itself for each level. */
const DEEPEST = 50;

type Targets = ReadonlyMap<unknown, Node>;
type Place = (offset: number) => Position;

/** Reads a manifest in YAML, of which JSON is a part. @throws UnreadableError with all that is wrong with its syntax */
export function readYaml(text: string): Source {
  const lines = new LineCounter();
  const place: Place = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const document = documentIn(text, lines, place);
  const targets = aliasesOf(document, place);
  return {
    // How often an alias may be used is bounded above: ten thousand devices may well share one.
    tree: document.toJS({ maxAliasCount: -1 }),
    at(path, what) {
      return place(offsetOf(document.contents, targets, path, what));
    },
  };
}

function documentIn(text: string, lines: LineCounter, place: Place): Document {
  // Version 1.1, which a file can ask for, would take the azimuth N for "no". As strings, keys such as 007 stay as they are.
  // Whether keys are unique is checked below: the parser compares each with each.
  const options = { schema: "core", merge: true, stringKeys: true, uniqueKeys: false, prettyErrors: false } as const;
  const [document, second] = new Composer(options).compose(tokensOf(text, lines, place), true, text.length);
  const problems = [...(document?.errors ?? []), ...(document?.warnings ?? [])].map(({ message, pos }) => ({
    ...place(pos[0]),
    message,
  }));
  if (second) problems.push({ ...place(second.range[0]), message: "there is a second document: a manifest is one" });
  if (problems.length > 0) throw new UnreadableError(problems);
  return document as Document;
}

/**
 * The syntax of a text, as far as it is not nested too deeply: behind that, the parser ends in an overflow of its
 * stack.
 */
function* tokensOf(text: string, lines: LineCounter, place: Place) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > DEEPEST)
      throw new UnreadableError([{ ...place(offset), message: `is nested more than ${DEEPEST} levels deep` }]);
    offset = parser.offset;
  }
  yield* parser.end();
}

/**
 * The value of each alias. (The parser's own `resolve` looks through the whole document for each of them.)
 * @throws UnreadableError for aliases that stand for themselves, and for those that make a small text a huge fleet
 */
function aliasesOf(document: Document, place: Place): Targets {
  const targets = new Map<unknown, Node>();
  const anchors = new Map<string, Node>();
  const sizes = new Map<unknown, number>();
  const refusal = (node: Node, message: string) => new UnreadableError([{ ...place(node.range?.[0] ?? 0), message }]);
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target) throw refusal(node, `there is no anchor &${node.source} before *${node.source}`);
      targets.set(node, target);
      const size = isScalar(target) ? 1 : sizes.get(target);
      if (size === undefined) throw refusal(node, `*${node.source} stands inside of what it stands for`);
      return size;
    }
    if (isNode(node) && node.anchor) anchors.set(node.anchor, node);
    if (!isMap(node) && !isSeq(node)) return 1;
    if (isMap(node)) refuseSecondKeys(node, refusal);
    const size = node.items.reduce((sum: number, item: unknown) => sum + sizeOf(item), 1);
    sizes.set(node, size);
    if (size > MOST_VALUES) throw refusal(node, `aliases make this more than ${MOST_VALUES} values`);
    return size;
  };
  sizeOf(document.contents);
  return targets;
}

/** @throws UnreadableError for a key that a map has twice */
function refuseSecondKeys({ items }: YAMLMap, refusal: (node: Node, message: string) => UnreadableError): void {
  const keys = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key) || key.source === "<<") continue;
    if (keys.has(key.value)) throw refusal(key, `there are two keys ${key.value}`);
    keys.add(key.value);
  }
}

/** Offset of what a path leads to, as far as it leads. */
function offsetOf(root: unknown, targets: Targets, path: Path, what: "key" | "value"): number {
  let node = root;
  let offset = startOf(node) ?? 0;
  for (const [index, part] of path.entries()) {
    const found = stepInto(node, targets, part);
    if (!found) return offset;
    const wanted = index === path.length - 1 && what === "key" ? found.key : found.value;
    offset = startOf(wanted) ?? startOf(found.key) ?? offset;
    node = found.value;
  }
  return offset;
}

function stepInto(given: unknown, targets: Targets, part: string): { key: unknown; value: unknown } | undefined {
  const node = targets.get(given) ?? given;
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
