import { styleText } from "node:util";

/** The meaning of a text, which decides its colour. */
export type Meaning = "good" | "bad" | "warning" | "quiet" | "strong";

const STYLES = { good: "green", bad: "red", warning: "yellow", quiet: "gray", strong: "bold" } as const;

/** Gives a text the colour of its meaning. */
export type Styler = (meaning: Meaning, text: string) => string;

/** Colors for a terminal that supports them, unless a variable such as NO_COLOR turns them off. */
export function stylerFor(stream: NodeJS.WriteStream): Styler {
  if (!stream.isTTY || !stream.hasColors()) return (_, text) => text;
  return (meaning, text) => styleText(STYLES[meaning], text);
}
