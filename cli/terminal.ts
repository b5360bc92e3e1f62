/** Whether somebody watches a terminal on which what is drawn can be drawn anew. */
export function isLive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env.TERM !== "dumb" && !("CI" in process.env);
}

/** Whether somebody can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !("CI" in process.env);
}

/** Asks at the terminal. Ctrl-C, which is a key and no signal while it asks, becomes the signal, and counts as a no. */
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

/** A text from elsewhere as one line: on a terminal, it must not be more than text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd");
}
