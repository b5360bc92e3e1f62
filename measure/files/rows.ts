import { type Pieces, textIn } from "./text";

/** The cells of a row. */
export type Cells = readonly string[];

/** A row of a table. */
export interface Row {
  readonly cells: Cells;
  /** The number of its line in the file, or of its entry in an answer, from 1. */
  readonly number: number;
}

/** Maximum number of bytes of a line: three times as many as a year in steps of 15 minutes needs. */
const LONGEST_LINE = 3_000_000;

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/**
 * The lines of a text that are not empty, with their numbers from 1.
 * @param isNeeded whether to read the line with a number: to make a text of each of millions takes seconds
 * @throws Error if one is too long
 */
export function* linesIn(
  pieces: Pieces,
  isNeeded: (number: number) => boolean = () => true,
): Generator<readonly [line: string, number: number]> {
  let rest = Buffer.alloc(0);
  let number = 0;
  let end: number | undefined;
  for (const piece of pieces) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    // A carriage return at the end of a piece may be the first half of a line break.
    end ??= [LINE_FEED, CARRIAGE_RETURN].find((one) => bytes.lastIndexOf(one, one === LINE_FEED ? -1 : -2) >= 0);
    let from = 0;
    for (let to = end ? bytes.indexOf(end) : -1; to >= 0; to = bytes.indexOf(end as number, from)) {
      const line = isNeeded(++number) ? lineOf(bytes, from, to, number) : "";
      if (line !== "") yield [line, number];
      from = to + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
    if (rest.length > LONGEST_LINE) throw tooLong(number + 1);
  }
  const line = lineOf(rest, 0, rest.length, ++number);
  if (line !== "") yield [line, number];
}

/**
 * The text of a table, in the encodings that all exports may have, without a mark of these, and with the same line ends.
 * @throws Error if these are not the bytes of a text
 */
export function textOf(bytes: Buffer): string {
  const lines: string[] = [];
  for (const [line, number] of linesIn(textIn([bytes]))) lines[number - 1] = line;
  return lines.join("\n");
}

function lineOf(bytes: Buffer, from: number, to: number, number: number): string {
  if (to - from > LONGEST_LINE) throw tooLong(number);
  const end = to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
  const line = bytes.toString("utf8", from, end);
  // Each of several joined files can begin with a byte order mark.
  if (line.startsWith("\ufeff")) return line.slice(1);
  // Not UTF-8: Excel's CSV has one byte for each letter.
  return line.includes("\ufffd") ? bytes.toString("latin1", from, end) : line;
}

function tooLong(number: number): Error {
  return new Error(`line ${number} is too long for a table: export one with a row for each time`);
}

/**
 * Maximum number of lines of a cell. A quote that is open for more lines does not open a cell: it belongs to the text.
 */
const MOST_OPEN = 10;

/**
 * The rows of a table. A cell may be in quotes, and then have several lines.
 * @param isNeeded whether to split a line: to split each of millions twice takes seconds
 */
export function* rowsOf(
  pieces: Pieces,
  delimiter: string,
  isNeeded: (line: string) => boolean = () => true,
): Generator<Row> {
  let open: string[] = [];
  let number = 0;
  for (const [line, at] of linesIn(pieces)) {
    number = at;
    if (open.length === 0 && !isNeeded(line)) continue;
    const cells = cellsOf(open.length === 0 ? line : [...open, line].join("\n"), delimiter);
    if (cells) yield { cells, number };
    else if (open.push(line) < MOST_OPEN) continue;
    else yield* withoutQuotes(open, delimiter, number);
    if (open.length > 0) open = [];
  }
  yield* withoutQuotes(open, delimiter, number);
}

function* withoutQuotes(lines: readonly string[], delimiter: string, last: number): Generator<Row> {
  for (const [i, line] of lines.entries())
    yield { cells: line.replaceAll('"', "").split(delimiter), number: last - lines.length + 1 + i };
}

/** The cells of a row. Undefined if a quote at the start of a cell does not close at its end. */
export function cellsOf(line: string, delimiter: string): string[] | undefined {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    let close = at;
    if (line[at] === '"') {
      close = line.indexOf('"', at + 1);
      // Two quotes in a cell mean one.
      while (close >= 0 && line[close + 1] === '"') close = line.indexOf('"', close + 2);
      if (close < 0 || ![delimiter, undefined].includes(line[close + 1])) return undefined;
    }
    const next = line.indexOf(delimiter, close);
    const end = next < 0 ? line.length : next;
    cells.push(close > at ? line.slice(at + 1, close).replaceAll('""', '"') : line.slice(at, end));
    at = end + 1;
  }
  return cells;
}
