import { parseManifest } from "../../provider/manifest/manifest";
import { replaceFile } from "../files";
import type { Addition } from "./addition";
import { sortByKind } from "./kinds";
import type { Adopted } from "./look";
import { reportFailures, reportSummary, reportTypes } from "./messages";
import type { Readings } from "./readings";

/**
 * Writes the manifest of what has been read, as far as it can be adopted, and reports on all of it.
 * @param out the manifest
 * @param textOf makes it
 * @returns how many devices are in it now, of those that have been read, and how many could not be adopted
 * @throws Error if it cannot be written
 */
export function writeAdopted(
  out: string,
  { read, failed: unread }: Pick<Readings, "read" | "failed">,
  textOf: (devices: readonly Adopted[]) => Addition,
): { written: number; failed: number } {
  const { adopted, failed: unfit, supposed } = sortByKind(read);
  reportFailures([...unread, ...unfit]);
  reportTypes(supposed);
  const { text, written, misfits, missing, warnings } = textOf(adopted);
  reportFailures(misfits);
  const counts = { written: written.length, failed: unread.length + unfit.length + misfits.length };
  if (written.length === 0) return counts;
  for (const warning of warnings) console.error(`warning: ${warning}`);
  parseManifest(text, out); // What would be refused later is not written.
  try {
    replaceFile(out, text);
  } catch (error) {
    throw new Error(`${out} cannot be written: ${(error as Error).message}`);
  }
  reportSummary(out, written, missing, counts.failed);
  return counts;
}
