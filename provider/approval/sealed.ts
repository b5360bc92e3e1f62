import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Value } from "../settings/setting";

const hexadecimal = z.string().regex(/^[0-9a-f]+$/);

/** A value of a setting in a file: plain, or, if it is a secret, as a salted hash. */
export const sealedSchema = z.union([
  z.number(),
  z.string(),
  z.strictObject({ salt: hexadecimal.length(32), hash: hexadecimal.length(64) }),
]);
export type Sealed = z.infer<typeof sealedSchema>;

/**
 * A value in the form for a file. The hash is a slow one, because a setting has few possible values: with a fast one,
 * anybody who has the file could try them all in a second.
 */
export function sealed(value: Value, { isSecret }: { readonly isSecret: boolean }): Sealed {
  if (!isSecret) return value;
  const salt = randomBytes(16).toString("hex");
  return { salt, hash: hashOf(value, salt) };
}

/** Whether a value is the one that was sealed. */
export function opens(seal: Sealed, value: Value): boolean {
  if (typeof seal !== "object") return seal === value;
  return timingSafeEqual(Buffer.from(hashOf(value, seal.salt), "hex"), Buffer.from(seal.hash, "hex"));
}

/** The value as JSON has its type: the number 1 and the text "1" have different hashes. */
function hashOf(value: Value, salt: string): string {
  return scryptSync(JSON.stringify(value), Buffer.from(salt, "hex"), 32).toString("hex");
}
