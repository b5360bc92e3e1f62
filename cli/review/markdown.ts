import { firstNames } from "../../provider/settings/explain";
import { shortName } from "../../provider/settings/groups";
import { sunMarkdown } from "../clearDays/markdown";
import { counted } from "../counted";
import { code, head, plainTitle, prose, row } from "../markdown";
import { printable } from "../terminal";
import { driftWords } from "./change";
import type { JudgedReview } from "./conditions";
import { fitted, type Section } from "./fit";
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
    ...titles.flatMap((title, index) => [`${index === 0 ? "###" : "####"} ${title}`, ""]),
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
