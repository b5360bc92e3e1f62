import { styleText } from "node:util";

/** What a colour says. It never says it alone: a word or a sign stands beside it. */
export type Meaning = "bad" | "warn" | "good" | "change" | "aside" | "title";

const STYLES = {
  bad: "red",
  warn: "yellow",
  good: "green",
  change: "cyan",
  aside: "dim",
  title: "bold",
} as const;

/** Colours a text by its meaning, or leaves it as it is. */
export type Paint = (meaning: Meaning, text: string) => string;

export const unpainted: Paint = (_, text) => text;

/** Colours for a stream, if it is a terminal that has some. NO_COLOR and TERM=dumb switch them off, FORCE_COLOR on. */
export function paintFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Paint {
  const { NO_COLOR, FORCE_COLOR } = env;
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  const hasColours = NO_COLOR ? false : isForced || (stream.isTTY === true && stream.hasColors(env));
  return hasColours ? (meaning, text) => styleText(STYLES[meaning], text) : unpainted;
}
