import { Composer, CST, isMap, Parser } from "yaml";

/** A text in YAML whose tokens can be changed. All characters of other tokens stay. */
export interface EditableText {
  /** The root of the text, with its tokens. */
  readonly contents: unknown;
  /** Adds lines at the end of a map, indented as its keys are. Returns whether lines can follow it. */
  append(block: unknown, lines: string): boolean;
  /** The text after all changes. */
  toString(): string;
}

export function editable(text: string): EditableText {
  const tokens = [...new Parser().parse(text)];
  const options = { schema: "core", merge: true, stringKeys: true, uniqueKeys: false, keepSourceTokens: true } as const;
  const [document] = new Composer(options).compose(tokens);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  return {
    contents: document?.contents,
    append(block, lines) {
      const map = isMap(block) && !block.anchor ? (block.srcToken as CST.Token | undefined) : undefined;
      if (map?.type !== "block-map") return false;
      const { items } = lastBlock(map);
      const { start, key, value } = items.at(-1) as CST.CollectionItem;
      // The comments after the last entry. Those that are indented less, and the indentation, belong to the next one.
      const rest = start.findIndex(({ type, indent }) => type !== "space" && indent < map.indent);
      const end = rest < 0 ? start.length : rest;
      const own = lines.replace(/^(?=.)/gm, " ".repeat(map.indent)).replaceAll("\n", newline);
      const source = (/\n *$/.test(CST.stringify(map)) ? "" : newline) + own;
      const added = { type: "comment", offset: -1, indent: map.indent, source } as const;
      if (key || value) items.push({ start: [added] });
      else start.splice(start[end - 1]?.type === "space" ? end - 1 : end, 0, added);
      return true;
    },
    toString: () => tokens.map(CST.stringify).join(""),
  };
}

/** The innermost map or list at the end of another one. */
function lastBlock(block: CST.BlockMap | CST.BlockSequence): CST.BlockMap | CST.BlockSequence {
  const value = block.items.at(-1)?.value;
  return value?.type === "block-map" || value?.type === "block-seq" ? lastBlock(value) : block;
}
