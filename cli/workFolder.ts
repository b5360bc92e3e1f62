import { lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** The folder beside a manifest for what the command line keeps between its runs. */
export function workFolderOf(manifestFile: string): string {
  return join(dirname(resolve(manifestFile)), ".solar-charging");
}

/** The packages that a fleet's folder has links to, in its `node_modules`. */
export const LINKED = ["pulumi-solar-charging", "@pulumi/pulumi"] as const;

/**
 * Makes it, so that Git leaves out all that is in it. A checkout can bring one along: without a look for links, a preview
 * would write and delete files wherever they lead.
 * @throws Error if it has a link that the command line does not make, or cannot be written
 */
export function makeWorkFolder(folder: string): void {
  const [link] = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ? [folder] : foreignLinksIn(folder);
  if (link !== undefined) throw new Error(`${link} is a symbolic link, and nothing is written through one`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

/** The links in it, but those of a fleet to its packages. */
function foreignLinksIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return linksIn(folder).filter((link) => {
    const [, ...place] = relative(folder, link).split(sep);
    return !LINKED.some((name) => place.join("/") === `node_modules/${name}`);
  });
}

function linksIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() ? linksIn(path) : [];
  });
}
