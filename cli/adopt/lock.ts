import { dirname } from "node:path";
import { type LockOptions, lock } from "proper-lockfile";
import { makeWorkFolder } from "../workFolder";

/** After so many seconds the lock of a run that was killed is free (our choice). */
const STALE_SECONDS = 15;

const LOCK: LockOptions = {
  realpath: false, // It is the name that is locked: there may be no such file.
  stale: STALE_SECONDS * 1000,
  onCompromised: () => {}, // Lost while the machine slept: a manifest that appeared meanwhile is looked for before the write.
};

/**
 * Does this while no other adoption for a manifest does anything.
 * @param out the manifest
 * @param kept what is kept for it in the work folder, which is made
 * @throws Error if one does, and the errors of `task`
 */
export async function whileNoOther<T>(out: string, kept: string, task: () => Promise<T>): Promise<T> {
  makeWorkFolder(dirname(kept));
  const release = await lock(kept, LOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ELOCKED") throw error;
    throw new Error(
      `another adopt is at work on ${out}: run this again when it has ended, or ${STALE_SECONDS} seconds after it was killed`,
    );
  });
  try {
    return await task();
  } finally {
    await release().catch(() => {}); // Fails only if the lock is lost already.
  }
}
