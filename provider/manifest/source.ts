import { characterProblem } from "../settings/schema";

/** Path of a value in a manifest's tree: the keys that lead to it. */
export type Path = readonly string[];

/** A place in a text. Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A manifest in any format after parsing, not checked yet. */
export interface Source {
  /** Objects, lists, texts and numbers, as in YAML. */
  readonly tree: unknown;
  /** The place of a value or key; if it is missing, the place of its parent. Undefined without a text. */
  at(path: Path, what: "key" | "value"): Position | undefined;
}

/** A problem that keeps a text from being parsed. */
interface SyntaxProblem extends Partial<Position> {
  readonly message: string;
}

export class UnreadableError extends Error {
  constructor(readonly problems: readonly SyntaxProblem[]) {
    super(problems.map(({ message }) => message).join("; "));
  }
}

/** The first bytes of files of a spreadsheet: a zip archive, as Excel and LibreOffice write, and the format before it. */
const SPREADSHEETS: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Bytes as text, including a byte order mark. @throws Error with advice if they are not UTF-8 */
export function decodedText(bytes: Uint8Array): string {
  if (SPREADSHEETS.some((first) => first.every((byte, index) => bytes[index] === byte)))
    throw new Error("is a file of Excel or another spreadsheet: save it as CSV (UTF-8)");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("is not in UTF-8: save it in that encoding");
  }
}

/** A path in the usual notation: `sites.berlin.latitude`. */
export function pathText(path: Path): string {
  return path.map(shown).join(".");
}

/** A key that is safe to show: a line break or a change of the text's direction in it could fake another message. */
function shown(key: string): string {
  if (characterProblem(key) === undefined) return key;
  return JSON.stringify(key).replace(/[^ -~]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
