import { characterProblem } from "../settings/schema";

/** Way to a value in a manifest's tree: the keys that lead to it. */
export type Path = readonly string[];

/** A place in a text. Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A manifest that has been read, whatever its format, but not looked at. */
export interface Source {
  /** Objects, lists, texts and numbers, as a YAML file has them. */
  readonly tree: unknown;
  /** The place of something; if it is missing, the place of its parent. Undefined without a text. */
  at(path: Path, what: "key" | "value"): Position | undefined;
}

/** The problems that keep a text from being read at all. */
export interface SyntaxProblem extends Partial<Position> {
  readonly message: string;
}

export class UnreadableError extends Error {
  constructor(readonly problems: readonly SyntaxProblem[]) {
    super(problems.map(({ message }) => message).join("; "));
  }
}

/** Bytes as text; a byte order mark stays in it. @throws Error that says what to do if they are not UTF-8 */
export function decodedText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("is not in UTF-8: save it in that encoding");
  }
}

/** A path as a person writes it: `sites.berlin.latitude`. */
export function pathText(path: Path): string {
  return path.map(shown).join(".");
}

/** A key as a terminal shows it: a line break or an override of the direction would make another message of it. */
function shown(key: string): string {
  if (characterProblem(key) === undefined) return key;
  return JSON.stringify(key).replace(/[^ -~]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
