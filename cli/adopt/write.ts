import { parseManifest } from "../../provider/manifest/manifest";
import { replaceFile } from "../workFolder";
import { sortByKind } from "./kinds";
import type { Adopted, ManifestText } from "./nodes";
import type { Readings } from "./readings";
import { tellOfFailures, tellOfTypes, tellSummary } from "./told";

/**
 * Writes the manifest of what has been read, where a device can be adopted, and tells of all.
 * @param out the manifest
 * @param textOf makes it
 * @returns how many devices are in it now, of those that have been read, and how many could not be adopted
 * @throws Error where it cannot be written
 */
export function writeAdopted(
  out: string,
  { read, failed: unread }: Readings,
  textOf: (devices: readonly Adopted[]) => ManifestText,
): { written: number; failed: number } {
  const { adopted, failed: unfit, supposed } = sortByKind(read);
  tellOfFailures([...unread, ...unfit]);
  tellOfTypes(supposed);
  const { text, written, misfits, missing, warnings } = textOf(adopted);
  tellOfFailures(misfits);
  const counts = { written: written.length, failed: unread.length + unfit.length + misfits.length };
  if (written.length === 0) return counts;
  for (const warning of warnings) console.error(`warning: ${warning}`);
  parseManifest(text, out); // What would be refused later is not written.
  try {
    replaceFile(out, text);
  } catch (error) {
    throw new Error(`${out} cannot be written: ${(error as Error).message}`);
  }
  tellSummary(out, written, missing, counts.failed);
  return counts;
}
