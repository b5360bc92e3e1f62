import { execFile } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const LINES_SHOWN = 12;

/** Runs a command to its end. @returns its output @throws Error with the last lines of the output if it fails */
export function execute(
  command: string,
  args: string[],
  options: { env: NodeJS.ProcessEnv; seconds: number; cwd?: string },
): Promise<string> {
  const { seconds, ...rest } = options;
  return new Promise((done, fail) => {
    execFile(command, args, { ...rest, timeout: seconds * 1_000, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (!error) return done(stdout);
      const end = typeof error.code === "number" ? `exit code ${error.code}` : (error.code ?? error.signal);
      const why = error.killed ? `stopped after ${seconds} s` : `failed (${end})`;
      const output = stripVTControlCharacters(`${stdout}\n${stderr}`)
        .split("\n")
        .filter((line) => line.trim() && !line.startsWith("go: downloading "))
        .slice(-LINES_SHOWN);
      fail(new Error([`${command} ${args[0]} ${why}`, ...output].join("\n    ")));
    });
  });
}

/** The reason of a failure, in words for a user. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message} (${reason(error.cause)})` : error.message;
}
