import { printable } from "./terminal";
import { shortened } from "./words";

/**
 * Markdown in which a text from elsewhere stays plain text. On a forge, a name with a line break could start a
 * heading, one with a pipe a cell, one with `<` an element, and `@team` or `#12` would notify people and link issues.
 * Forges leave spans of code alone.
 */

/** Longest text from elsewhere that is shown in one place, in characters (our choice). */
const LONGEST = 500;

/** Looks like a pipe, but does not end a cell of a table. */
const PIPE = "\u2502";

/** A word of prose that no forge transforms: no markup, mention, reference, link or emoji. */
const PLAIN_WORD =
  /^[("']{0,2}(?:[−-]\d|[\p{L}\p{N}])[\p{L}\p{N}]*(?:[.,'/°-][\p{L}\p{N}]+)*[°%]?…?[)"']{0,2}[.,;:?]?$|^(?:[→–·{}±…]|%[.,;:)]?)$/u;

/** Words that become links: `www.…`, commits, and references such as `GH-12`. */
const LOOKS_PLAIN = /\b(?:www\.|[0-9a-f]{7,64}\b|gh-\d)/i;

/** A text as a span of code. */
export function code(text: string): string {
  const safe = oneLine(text);
  if (safe === "") return "` `";
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(safe) ? " " : "";
  return `${fence}${pad}${safe}${pad}${fence}`;
}

/** A word, or words in quotes. */
const UNIT = /(?<=^| )\(?(["'])(?:(?!\1).)*\1[.,;:?)]*(?= |$)|[^ ]+/g;

/** A part of a sentence: text, or a span of code with the punctuation around it. */
interface Part {
  readonly before: string;
  readonly code: string;
  readonly after: string;
}

/**
 * A sentence: plain words stay, all others become code, without the punctuation around them: a name that is copied with a
 * comma is another name. Words in quotes, such as a command, stay together.
 */
export function prose(text: string): string {
  const parts: Part[] = [];
  for (const [unit, quote] of oneLine(text).matchAll(UNIT)) {
    const part = partOf(unit, quote);
    const last = parts.at(-1);
    // Several words in a row, such as options of a command, are one span.
    const isJoined = last && last.code !== "" && part.code !== "" && last.after === "" && part.before === "" && !quote;
    if (isJoined) parts[parts.length - 1] = { ...last, code: `${last.code} ${part.code}`, after: part.after };
    else parts.push(part);
  }
  return parts.map((part) => part.before + (part.code === "" ? "" : code(part.code)) + part.after).join(" ");
}

/** @param quote set if the unit is in quotes */
function partOf(unit: string, quote: string | undefined): Part {
  const isPlain = unit.split(" ").every((word) => PLAIN_WORD.test(word) && !LOOKS_PLAIN.test(word));
  if (isPlain) return { before: unit, code: "", after: "" };
  const before = unit.startsWith("(") ? "(" : "";
  // A bracket that belongs to the word stays in it: `get(car)`.
  const marks = before || !unit.includes("(") ? ".,;:?)" : ".,;:?";
  const end = [...unit].findLastIndex((letter) => !marks.includes(letter)) + 1;
  const [core, after] = [[...unit].slice(before.length, end).join(""), [...unit].slice(end).join("")];
  const inner = quote ? core.slice(1, -1).trim() : core;
  return inner === "" ? { before: "", code: unit, after: "" } : { before, code: inner, after };
}

/** A text without formatting, as in the title of an issue. @param longest in characters */
export function plainTitle(text: string, longest: number): string {
  const safe = cleaned(text).replaceAll("@", "\u{ff20}");
  return shortened(safe, longest);
}

/** One row of a table, of cells that are Markdown. */
export function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The head of a table: its titles, and the line that makes them a head in Markdown. */
export function head(cells: readonly string[]): string[] {
  return [row(cells), row(cells.map(() => "---"))];
}

function oneLine(text: string): string {
  return shortened(cleaned(text).replaceAll("|", PIPE), LONGEST);
}

function cleaned(text: string): string {
  return printable(text.replace(/[\n\r\t]+/g, " "))
    .toWellFormed()
    .replace(/ +/g, " ")
    .trim();
}
