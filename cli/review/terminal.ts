import { firstNames } from "../../provider/settings/explain";
import { sunWords } from "../clearDays/words";
import type { Styler } from "../terminal";
import { printable } from "../terminal";
import { counted } from "../words";
import type { JudgedReview } from "./conditions";
import { type Block, type Dialect, pageOf } from "./page";

/** Maximum number of items of a block (our choice). */
const MOST_ITEMS = 50;

/** The review as lines for a terminal. */
export function reviewText(review: JudgedReview, styled: Styler = (_, text) => text): string {
  const { titles, paragraphs, blocks } = pageOf(review, dialectOf(styled));
  return [...titles, ...paragraphs, "", ...blocks.flatMap((block) => linesOf(block, styled))].join("\n").trimEnd();
}

function dialectOf(styled: Styler): Dialect {
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return {
    ...{ styled, code: printable, prose: printable },
    command: (text) => `:\n  $ ${printable(text)}`,
    line: (text) => [printable(text)],
    point: (text) => [text],
    row: ([name, ...cells], lines = []) => {
      const head = [name && styled("strong", name), ...cells].filter(Boolean).join("  ");
      return head === "" ? [...lines] : [head, ...indented(lines)];
    },
    shared: (words, _, names) => [printable(`${words} (${firstNames(names)})`)],
    sun: (name, change) => [styled("strong", printable(name)), ...indented(sunWords(change, printable, printable))],
  };
}

function linesOf({ title, noun, items, tail = [], fold, isWhole }: Block, styled: Styler): string[] {
  if (items.length === 0 || fold === "hidden") return [];
  if (fold === "counted") return [styled("quiet", `${title}: ${counted(items.length, noun)} (--json shows all)`), ""];
  const shown = isWhole ? items : items.slice(0, MOST_ITEMS);
  const more = items.length - shown.length;
  const rest = more > 0 ? [`and ${counted(more, `more ${noun}`)}: --json shows all`] : [];
  const lines = [...shown.flat(), ...rest];
  if (title === undefined) return [...lines, ...tail, ""];
  return [styled("strong", title), ...lines.map((line) => `  ${line}`), ...tail, ""];
}
