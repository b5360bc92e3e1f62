import { firstNames } from "../../provider/settings/explain";
import { shortName } from "../../provider/settings/groups";
import { sunMarkdown } from "../clearDays/markdown";
import { code, head, plainTitle, prose, row } from "../markdown";
import { printable } from "../terminal";
import { counted } from "../words";
import { driftWords } from "./change";
import type { JudgedReview } from "./conditions";
import { type Block, type Dialect, pageOf } from "./page";
import { driftInReview, type Review } from "./review";
import { partWords, verdictOf } from "./verdict";

/** Largest report, in bytes. */
export const LIMITS = {
  /** GitHub allows 65,536 characters in a comment, and 1 MiB in the summary of a step. */
  github: 65_536,
  /** GitLab allows 1,000,000 characters in a note. */
  gitlab: 1_000_000,
} as const;
export type Forge = keyof typeof LIMITS;

/**
 * The review in Markdown, within the size limit of the forge. The conditions that it meets come first, then the
 * verdict.
 */
export function markdownOf(review: JudgedReview, forge: Forge): string {
  const { titles, paragraphs, blocks } = pageOf(review, MARKDOWN);
  const beginning = [
    markerOf(review),
    ...titles.flatMap((title) => [`### ${title}`, ""]),
    ...paragraphs.flatMap((text) => [text, ""]),
  ];
  const used = Buffer.byteLength(beginning.join("\n")) + 1;
  const sections = blocks.filter(({ items }) => items.length > 0).map(sectionOf);
  return [...beginning, ...fitted(sections, LIMITS[forge] - used)].join("\n");
}

/**
 * Maximum number of devices behind a line (our choice). Without it, a change that 5,000 devices share would not fit, and
 * its line would be left out.
 */
const MOST_NAMES = 500;

const MARKDOWN: Dialect = {
  ...{ code, prose, sun: sunMarkdown },
  styled: (meaning, text) => (meaning === "quiet" ? `<sub>${text}</sub>` : text),
  command: (text) => ` ${code(text)}`,
  // Indented as a block of code. In a fence, a text could contain the fence that ends the block.
  line: (text) => [`    ${printable(text).toWellFormed()}`],
  point: (text) => [`- ${text}`],
  row: (cells, lines) => [row([...cells, ...(lines ? [lines.join("<br>")] : [])].map((cell) => cell || "-"))],
  shared: (words, nouns, names) => [
    ...[`**${prose(words)}**`, "", ...foldOf(`The ${nouns}`)],
    ...[firstNames(names.map(code), MOST_NAMES), "", "</details>", ""],
  ],
};

function foldOf(title: string): string[] {
  return [`<details><summary>${title}</summary>`, ""];
}

function sectionOf({ title, noun, columns, items, tail = [], fold, isWhole = false }: Block): Section {
  const heading = title === undefined ? [] : fold ? foldOf(title) : [`#### ${title}`, ""];
  return {
    ...{ items, isWhole, keep: fold === "hidden" ? "last" : "first" },
    head: [...heading, ...(columns ? head(columns) : [])],
    tail: [...tail.flatMap((text) => ["", text]), ...(fold ? ["", "</details>"] : []), ""],
    more: (count) => `\nand ${counted(count, `more ${noun}`)}: \`solar-charging review --json <preview>\` shows all\n`,
  };
}

/** The hidden comment that identifies a post, so that the next review of the same subjects replaces it. */
export function markerOf({ subjects }: Review): string {
  return `<!-- solar-charging review of ${subjects
    .join(", ")
    .slice(0, 500)
    .replace(/[^\w ,./-]/g, "_")} -->`;
}

/** Longest title of an issue: GitHub takes 256 characters, GitLab 255. */
const LONGEST = 200;

/**
 * The title of an issue about drift: `Drift: home, roof: azimuth SSW → NNE (202.5° → 22.5°) and 2 more`. Without drift,
 * the verdict.
 */
export function reviewTitle(review: Review): string {
  const { shared, others } = driftInReview(review.sites);
  const drifted = [
    ...shared.map(({ words }) => words),
    ...others.flatMap(({ site, change }) =>
      driftWords(change).map((words) => `${site === undefined ? "" : `${site}, `}${shortName(change.label)}: ${words}`),
    ),
  ];
  const [first, ...rest] = drifted;
  if (first === undefined) return plainTitle(verdictOf(review).parts.map(partWords).join(", "), LONGEST);
  const more = rest.length > 0 ? ` and ${rest.length} more` : "";
  return `${plainTitle(`Drift: ${first}`, LONGEST - more.length)}${more}`;
}

/** A part of a report whose items can be left out. */
export interface Section {
  readonly head: readonly string[];
  /** Each item is shown completely or not at all. */
  readonly items: readonly (readonly string[])[];
  readonly tail: readonly string[];
  /** The words about the omitted items. */
  readonly more: (count: number) => string;
  /** The items that stay if there are too many. */
  readonly keep: "first" | "last";
  /** Whether it gets its space before all others. */
  readonly isWhole: boolean;
}

/** The share of the remaining space that one section may take, so that later ones have room (our choice). */
const SHARE = 0.6;

/** The sections as lines, in at most `limit` bytes. Forges count characters, which are never more than bytes. */
export function fitted(sections: readonly Section[], limit: number): string[] {
  const inTurn = [...sections].sort((a, b) => Number(b.isWhole) - Number(a.isWhole));
  const fit = new Map<Section, readonly string[]>();
  let left = limit;
  for (const section of inTurn) {
    const room = left * (section.isWhole || section === inTurn.at(-1) ? 1 : SHARE);
    const whole = shown(section, section.items.length);
    const some = sizeOf(whole) <= room ? whole : asMany(section, room);
    fit.set(section, some);
    left -= sizeOf(some);
  }
  return sections.flatMap((section) => fit.get(section) ?? []);
}

/** The items of a section that fit; nothing if its head does not fit. */
function asMany(section: Section, room: number): string[] {
  const { items, keep } = section;
  const frame = sizeOf(shown(section, 0));
  let used = frame;
  let count = 0;
  while (count < items.length) {
    const item = items[keep === "first" ? count : items.length - 1 - count] as readonly string[];
    if (used + sizeOf(item) > room) break;
    used += sizeOf(item);
    count++;
  }
  return frame > room ? [] : shown(section, count);
}

function shown({ head, items, tail, more, keep }: Section, count: number): string[] {
  const left = items.length - count;
  const note = left > 0 ? [more(left)] : [];
  const some = keep === "first" ? items.slice(0, count) : items.slice(items.length - count);
  return keep === "first" ? [...head, ...some.flat(), ...note, ...tail] : [...head, ...note, ...some.flat(), ...tail];
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((size, line) => size + Buffer.byteLength(line) + 1, 0);
}
