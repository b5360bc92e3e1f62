import { isMap, isNode, isPair, isSeq, type YAMLMap, type YAMLSeq } from "yaml";

/** A part of a text, and the text in its place. If that ends with a line break, it is whole lines. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A map or list whose entries have lines of their own. */
type Block = (YAMLMap | YAMLSeq) & { readonly range: readonly [number, number, number] };

/** Whether a node is a block with at least one entry, so that lines can follow it. */
function isBlock(node: unknown): node is Block {
  return (isMap(node) || isSeq(node)) && !node.flow && !node.anchor && node.items.length > 0 && !!node.range;
}

/** More lines at the end of a map, indented as its keys are. Undefined if no lines can follow it. */
export function linesAfter(text: string, block: unknown, lines: string): Edit | undefined {
  if (!isBlock(block)) return undefined;
  const start = endOf(text, block);
  return { start, end: start, text: lines.replace(/^(?=.)/gm, " ".repeat(indentOf(text, block))) };
}

/** The indentation of the keys of a map. */
function indentOf(text: string, { range: [start] }: Block): number {
  return start - (text.lastIndexOf("\n", start - 1) + 1);
}

/**
 * The place of the next key of a map: after the lines of its last key and the comments that belong to it. The YAML
 * library would attach the comment before the next site to the last device, so lines are inserted into the text
 * instead.
 */
function endOf(text: string, block: Block): number {
  const own = indentOf(text, block);
  let end = lineEnd(text, lastOffset(block));
  for (;;) {
    const next = lineEnd(text, end);
    const [comment, indent = ""] = /^( *)#/.exec(text.slice(end, next)) ?? [];
    if (comment === undefined || indent.length < own) return end;
    end = next;
  }
}

/** The text after all edits. Those at the same place keep their order. */
export function edited(text: string, edits: readonly Edit[]): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text: own } of [...edits].sort((one, other) => one.start - other.start)) {
    parts.push(text.slice(done, start));
    const before = parts.findLast((part) => part !== "");
    if (own.endsWith("\n") && before !== undefined && !before.endsWith("\n")) parts.push(newline);
    parts.push(own.replaceAll("\n", newline));
    done = end;
  }
  return [...parts, text.slice(done)].join("");
}

/** The end of the last value in a node. Comments and empty lines may follow. */
function lastOffset(node: unknown): number {
  if (isPair(node)) return lastOffset(node.value ?? node.key);
  if (isBlock(node)) return lastOffset(node.items.at(-1));
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}
