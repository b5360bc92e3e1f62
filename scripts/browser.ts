import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Names of Chromium at distributions and at its maker. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The Chromium of this machine; undefined if there is none. */
export function browserOfMachine(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((file) => existsSync(file));
}
