import { stripVTControlCharacters, styleText } from "node:util";
import { Help } from "commander";

/** Whether the output is a terminal that can redraw lines. */
export function isLive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env.TERM !== "dumb" && !("CI" in process.env);
}

/** Whether a user at a terminal can answer questions. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !("CI" in process.env);
}

/** Asks at the terminal. During a question, Ctrl-C arrives as a key; it becomes a signal again, and counts as no. */
export async function ask(question: string): Promise<boolean> {
  const { default: confirm } = await import("@inquirer/confirm");
  try {
    return await confirm({ message: question, default: false }, { output: process.stderr });
  } catch (error) {
    if ((error as Error).name !== "ExitPromptError") throw error;
    process.emit("SIGINT", "SIGINT");
    return false;
  }
}

/** A text from elsewhere as one line, without control sequences for the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/**
 * Wraps lines between words; a terminal would break them within words. Commands to paste stay whole.
 * @param columns width of the terminal; undefined for a file or a pipe, where nothing is wrapped
 */
export function inColumns(text: string, columns: number | undefined = process.stdout.columns): string {
  return columns === undefined
    ? text
    : text
        .split("\n")
        .map((line) => broken(line, columns))
        .join("\n");
}

function broken(line: string, columns: number): string {
  if (stripVTControlCharacters(line).length <= columns || COMMAND.test(line)) return line;
  const [indent = ""] = /^ */.exec(line) ?? [];
  const below = indent === "" ? "" : `${indent}    `;
  return indent + new Help().boxWrap(line.slice(indent.length), columns - below.length).replaceAll("\n", `\n${below}`);
}

/** A line with a command to paste. */
const COMMAND = /^ +\$ /;

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
