import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type LockOptions, lock } from "proper-lockfile";
import { reason } from "./execute";
import type { Progress } from "./progress";

const LOCK: LockOptions = {
  realpath: false, // Locks the name: the folder itself appears only at the end.
  stale: 15_000, // Time after which the lock of a killed process is free.
  onCompromised: () => {}, // The lock was lost while the machine slept. Its new holder has removed our folder, so our step fails.
};

/** Runs `task` while no other process installs into `target`. First removes the remains of a killed installation. */
export async function withInstallLock<T>(target: string, progress: Progress, task: () => Promise<T>): Promise<T> {
  const release = await acquire(target, progress);
  try {
    await removeLeftovers(target);
    return await task();
  } finally {
    await release().catch(() => {}); // Releasing fails only if the lock is lost already.
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
 * Replaces `target` in one rename. `fill` works in a folder beside it, and returns the folder that becomes `target`. If
 * it is killed, nothing remains that looks installed.
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
