import { readFileSync } from "node:fs";
import { RunFile, type RunLine, writeClaims } from "../../provider/ledger/runFile";

/** The file of a run that a command has made, for a provider. @returns its variable, and the file */
export function runFileMade(path: string) {
  const environment = writeClaims(path, []);
  return { environment, file: new RunFile(() => path, undefined, { isMade: true }) };
}

/** The lines of a run's file that have news, each with its writer. */
export function runLinesIn(path: string): readonly (RunLine & { readonly pid: number; readonly by?: string })[] {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter(({ pid: _, by: __, ...news }) => Object.keys(news).length > 0);
}
