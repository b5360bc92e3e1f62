import { mkdirSync, writeFileSync } from "node:fs";
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
