import { lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folder beside a manifest in which the command line keeps files between its runs. */
export function workFolderOf(manifestFile: string): string {
  return join(dirname(resolve(manifestFile)), ".solar-charging");
}

/**
 * Creates the folder, and makes Git ignore it. A checkout can contain such a folder with links: without the check for
 * them, a preview would write and delete files wherever they lead.
 * @throws Error if it contains a link, or cannot be written
 */
export function makeWorkFolder(folder: string): void {
  const [link] = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ? [folder] : linksIn(folder);
  if (link !== undefined) throw new Error(`${link} is a symbolic link, and nothing is written through one: remove it`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

function linksIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() ? linksIn(path) : [];
  });
}
