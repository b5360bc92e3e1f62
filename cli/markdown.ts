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
const PLAIN_WORD = /^[("']?−?[\p{L}\p{N}]+(?:[.,'/°-][\p{L}\p{N}]+)*[°%]?[)"']?[.,;:]?$|^[→–·{}±%]$/u;

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

/** A sentence: plain words stay, all others become code. */
export function prose(text: string): string {
  const runs: { isPlain: boolean; words: string[] }[] = [];
  for (const word of oneLine(text).split(" ").filter(Boolean)) {
    const isPlain = PLAIN_WORD.test(word) && !LOOKS_PLAIN.test(word);
    const last = runs.at(-1);
    if (last?.isPlain === isPlain) last.words.push(word);
    else runs.push({ isPlain, words: [word] });
  }
  return runs.map(({ isPlain, words }) => (isPlain ? words.join(" ") : code(words.join(" ")))).join(" ");
}

/** A text without formatting, as in the title of an issue. @param longest in characters */
export function plainTitle(text: string, longest: number): string {
  const safe = cleaned(text).replaceAll("@", "\u{ff20}");
  return safe.length <= longest ? safe : `${safe.slice(0, longest - 1).trimEnd()}…`;
}

/**
 * Lines as a block of code, indented by four spaces. Without this, a text could contain the fence that ends the
 * block.
 */
export function codeLine(text: string): string {
  return `    ${text.replace(CONTROL, "").toWellFormed()}`;
}

/** One row of a table, of cells that are Markdown. */
export function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The head of a table: its titles, and the line that makes them a head in Markdown. */
export function head(cells: readonly string[]): string[] {
  return [row(cells), row(cells.map(() => "---"))];
}

/** A hidden comment that identifies a report when it is posted again. */
export function marker(text: string): string {
  const safe = cleaned(text).replace(/[^\w ,./-]/g, "_");
  return `<!-- ${safe} -->`;
}

/** Characters that are not text, or that reverse the direction of text. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function oneLine(text: string): string {
  const safe = cleaned(text).replaceAll("|", PIPE);
  return safe.length <= LONGEST ? safe : `${safe.slice(0, LONGEST - 1).toWellFormed()}…`;
}

function cleaned(text: string): string {
  return text
    .replace(/[\n\r\t]+/g, " ")
    .replace(CONTROL, "\ufffd")
    .toWellFormed()
    .replace(/ +/g, " ")
    .trim();
}
