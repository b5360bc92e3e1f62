/** Way to a value in a manifest's tree. */
export type Path = readonly (string | number)[];

/** A place in a text. Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A manifest that has been read, whatever its format, but not looked at. */
export interface Source {
  /** Objects, lists, texts and numbers, as a YAML file has them. */
  readonly tree: unknown;
  /** Where something stands; of what is not there, where that is which it should be in. Undefined without a text. */
  at(path: Path, what: "key" | "value"): Position | undefined;
}

/** What keeps a text from being read at all. */
export interface SyntaxProblem extends Partial<Position> {
  readonly message: string;
}

export class UnreadableError extends Error {
  constructor(readonly problems: readonly SyntaxProblem[]) {
    super(problems.map(({ message }) => message).join("; "));
  }
}

/** Bytes as text; a byte order mark stays in it. @throws Error that says what to do where they are not UTF-8 */
export function decodedText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("is not in UTF-8: save it in that encoding");
  }
}

/** A path as a person writes it: `sites[0].id`. */
export function pathText(path: Path): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`)).join("");
}
