import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Message } from "../messages/message";
import { failureOfSecretFile, isFailure, messageOf, type ServiceFailure } from "./errors";

/** The characters of a token or a client's secret, which is sent in a header. */
export const SECRET_FORM = /^[\x21-\x7e]+$/;

/** A token, and its lifetime in seconds if it is known. */
export interface Grant {
  readonly token: string;
  readonly lifetimeSeconds?: number;
}

/** The absolute path of the file of a secret; undefined if the setting is the secret itself, and not `file:<path>`. */
export function fileOf(setting: string): string | undefined {
  return setting.startsWith("file:") ? resolve(setting.slice("file:".length)) : undefined;
}

/** A secret from a setting or its file, without a byte-order mark and a line break at the end. @param key the setting */
export async function readSecret(key: string, setting: string): Promise<Grant | ServiceFailure> {
  const path = fileOf(setting);
  if (path === undefined) return { token: setting };
  const unusable = (what: string, advice: string) => failureOfSecretFile(key, path, what, advice);
  if (isPipe(path))
    return unusable("is a pipe", "Use a regular file: several processes read it, and a pipe can be read only once");
  try {
    // PowerShell writes a byte-order mark.
    const token = (await readFile(path, "utf8")).replace(/^\uFEFF|\r?\n$/g, "");
    if (SECRET_FORM.test(token)) return { token };
    const advice = "Write only the secret into it, without 'Bearer ', spaces or line breaks";
    return unusable(token === "" ? "is empty" : "holds more than a secret", advice);
  } catch (error) {
    return unusable(`cannot be read (${(error as NodeJS.ErrnoException).code})`, "Check the path and the permissions");
  }
}

/** The reason why a secret cannot be read from its file; undefined if it can. @param key the setting */
export async function problemOfSecret(key: string, setting: string): Promise<Message | undefined> {
  const result = await readSecret(key, setting);
  return isFailure(result) ? messageOf(result) : undefined;
}

/** Whether a path is a pipe: opening one without a writer would wait forever. */
function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false; // Opening the file then fails with the reason.
  }
}
