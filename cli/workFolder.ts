import { randomUUID } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
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

/**
 * Writes a file whole or not at all, also where another process does at the same time, perhaps on another machine. One that
 * is there keeps its mode, and a link to it stays.
 * @throws Error where it cannot be written, as on a full disk; what was there stays, and nothing beside it
 */
export function replaceFile(file: string, text: string): void {
  const { target, mode } = whatIsAt(file);
  const beside = `${target}.${randomUUID()}.tmp`;
  try {
    writeFileSync(beside, text, { mode });
    if (mode !== undefined) chmodSync(beside, mode); // The umask took from it.
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** The error about a file that could not be written: what happened, and what to do. */
export function notWritten(error: unknown): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  const remedy = ["ENOSPC", "EDQUOT"].includes(code) ? "Make room" : "Look at the folder and who may write there";
  return `${message}. ${remedy}, then run this again`;
}

function whatIsAt(file: string): { readonly target: string; readonly mode?: number } {
  try {
    const target = realpathSync(file);
    return { target, mode: statSync(target).mode & 0o7777 };
  } catch {
    return { target: file };
  }
}
