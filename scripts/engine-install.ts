import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type LockOptions, lock } from "proper-lockfile";
import { reason } from "./execute";
import type { Progress } from "./progress";

const LOCK: LockOptions = {
  realpath: false, // What is locked is the name; the folder itself appears at the end.
  stale: 15_000, // A killed holder's lock is taken over after this.
  onCompromised: () => {}, // Lost while the machine slept: the one that took over swept up our folder; our step fails.
};

/** Runs `task` while no other process installs into `target`, after sweeping up what a killed one has left. */
export async function withInstallLock<T>(target: string, progress: Progress, task: () => Promise<T>): Promise<T> {
  const release = await acquire(target, progress);
  try {
    await removeLeftovers(target);
    return await task();
  } finally {
    await release().catch(() => {}); // Fails only when the lock is lost already.
  }
}

async function acquire(target: string, progress: Progress) {
  try {
    await mkdir(dirname(target), { recursive: true });
    return await lock(target, LOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOCKED") {
      throw new Error(
        `Cannot install into ${dirname(target)}: ${reason(error)}. Make it writable, or set PULUMI_HOME to a folder that is.`,
      );
    }
  }
  const forever = { forever: true, factor: 1, minTimeout: 500 };
  return progress.step("Another process is fetching the engine; waiting for it (up to 6 minutes)", () =>
    lock(target, { ...LOCK, retries: forever }),
  );
}

/**
 * Replaces `target` in one rename. `fill` works in a folder beside it, and says which folder therein is to become
 * `target`; killed at any moment, it leaves nothing that looks installed.
 */
export async function installAtomically(target: string, fill: (folder: string) => Promise<string>): Promise<void> {
  const folder = await mkdtemp(`${target}.partial-`);
  try {
    const content = await fill(folder);
    await rm(target, { recursive: true, force: true });
    await rename(content, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftovers(target: string): Promise<void> {
  for (const entry of await readdir(dirname(target))) {
    if (entry.startsWith(`${basename(target)}.partial-`)) {
      await rm(join(dirname(target), entry), { recursive: true, force: true });
    }
  }
}
