import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Check, failed, ok } from "./check";
import { type Changes, compare, hashOf, type Structure } from "./structure";

/** The shape of a device object, to be kept and compared: no value of it. */
export interface Fingerprint {
  /** Equal for equal structures. Others may be no change either: `compare` knows. */
  readonly hash: string;
  readonly structure: Structure;
}

const schema = z.object({ hash: z.string(), structure: z.record(z.string(), z.string()) });

export function fingerprintOf(structure: Structure): Fingerprint {
  return { hash: hashOf(structure), structure };
}

/** @throws Error if the file is no fingerprint */
export function readFingerprint(file: string): Fingerprint {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : "it is none";
    throw new Error(
      `${file} cannot be compared with: ${reason}. Write one with: solar-charging doctor --device ID --fingerprint > ${file}`,
    );
  }
}

export function changesCheck(
  file: string,
  before: Fingerprint,
  after: Fingerprint,
): { check: Check; changes: Changes } {
  const changes = compare(before.structure, after.structure);
  const { appeared, disappeared, retyped } = changes;
  const lines = [
    ...appeared.map((path) => `appeared      ${path}`),
    ...disappeared.map((path) => `disappeared   ${path}`),
    ...retyped.map((path) => `type changed  ${path}`),
  ];
  const name = "fingerprint";
  if (lines.length === 0) return { check: ok(name, `the shape is that of ${file}`), changes };
  const advice = [...lines, `Has the service changed? When you have looked at it, write ${file} anew`].join("\n    ");
  return { check: failed(name, `the shape is not that of ${file}`, advice), changes };
}
