import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { buildManifest } from "./build";
import { readJson } from "./json";
import type { Manifest } from "./model";
import { ManifestError } from "./report";
import { decodedText, UnreadableError } from "./source";
import { readYaml } from "./yaml";

/** Largest text that is read, in bytes (our choice): about 55,000 devices. Larger ones would need too much memory. */
const LARGEST_TEXT = 5_000_000;

/** Reads the manifest in a file. @throws ManifestError with all problems, including an unreadable file */
export function readManifest(file: string): Manifest {
  return parseManifest(readManifestText(file), file);
}

/**
 * The fleet that a manifest declares.
 * @param file its name, for messages
 * @throws ManifestError with all problems
 */
export function parseManifest(text: string, file: string): Manifest {
  if (text.length > LARGEST_TEXT) throw tooLarge(file, text.length);
  if (extname(file).toLowerCase() === ".csv") throw refusal(file, CSV);
  const bare = text.replace(/^\uFEFF/, "");
  try {
    return buildManifest(readJson(bare) ?? readYaml(bare), file);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new ManifestError(
      file,
      error.problems.map((problem) => ({ ...problem, path: "" })),
    );
  }
}

/** The fleet that an object in the form of a manifest declares. @throws ManifestError with all problems */
export function toManifest(tree: unknown, from = "manifest"): Manifest {
  return buildManifest({ tree, at: () => undefined }, from);
}

/** The text of a manifest's file. @throws ManifestError if it cannot be read */
export function readManifestText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = code === "EISDIR" ? ": name the file in this folder" : "";
    throw refusal(
      file,
      code === "ENOENT"
        ? "there is no such file: correct its path, or let 'solar-charging adopt' write it"
        : `cannot be read (${code ?? message})${hint}`,
    );
  }
  if (bytes.length > LARGEST_TEXT) throw tooLarge(file, bytes.length);
  try {
    return decodedText(bytes);
  } catch (error) {
    throw refusal(file, (error as Error).message);
  }
}

const CSV =
  "is CSV, and a manifest is YAML or JSON. 'solar-charging adopt --devices <file>' reads a list of devices in CSV, with their settings, and writes the manifest";

function tooLarge(file: string, size: number): ManifestError {
  const [has, most] = [size, LARGEST_TEXT].map((bytes) => (bytes / 1_000_000).toFixed(1));
  const message = `has ${has} MB, and a manifest can have at most ${most} MB: split the fleet into several manifests`;
  return refusal(file, message);
}

/** The error of a manifest that cannot be read as one. */
function refusal(file: string, message: string): ManifestError {
  return new ManifestError(file, [{ path: "", message }]);
}
