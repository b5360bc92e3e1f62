import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { firstNames } from "../../provider/settings/explain";
import { quoted } from "../words";

/**
 * Creates the folder beside a manifest in which the command line keeps files between its runs, and makes Git ignore it. A checkout can contain such a folder: with links, a preview would write
 * and delete files wherever they lead; with records, a rollout would skip sites, and a destroy would write values that
 * somebody made up.
 * @throws Error if it contains a link or a file that Git tracks, or cannot be written
 */
export function makeWorkFolder(folder: string): void {
  const [link] = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ? [folder] : linksIn(folder);
  if (link !== undefined) throw new Error(`${link} is a symbolic link, and nothing is written through one: remove it`);
  const tracked = trackedIn(folder);
  if (tracked.length > 0) {
    throw new Error(
      `Git tracks ${firstNames(tracked, 1)}: this folder has the records of runs, which must not come from a repository. Remove ` +
        `it from Git and from the disk: git -C ${quoted(dirname(folder))} rm -r -f ${basename(folder)}`,
    );
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

/** The files of a folder that Git tracks, in upper or lower case. None without Git. */
function trackedIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  // A repository can configure a program that watches its files. Without this, Git would run it.
  const safely = ["-c", "core.fsmonitor=false", "-c", "safe.directory=*"];
  const args = [...safely, "ls-files", "-z", "--", `:(icase)${basename(folder)}`];
  const { stdout, status } = spawnSync("git", args, { cwd: dirname(folder), encoding: "utf8" });
  return status === 0 ? stdout.split("\0").filter(Boolean) : [];
}

function linksIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() ? linksIn(path) : [];
  });
}
