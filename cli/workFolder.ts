import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folder beside a manifest for what the command line keeps between its runs. */
export function workFolderOf(manifestFile: string): string {
  return join(dirname(resolve(manifestFile)), ".solar-charging");
}

/** Makes it, so that Git leaves out all that is in it. @throws Error where it cannot be written */
export function makeWorkFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

/** Writes a file whole or not at all. @throws Error where it cannot be written, as on a full disk; what was there stays */
export function replaceFile(file: string, text: string): void {
  const next = `${file}.next`;
  writeFileSync(next, text);
  renameSync(next, file);
}
