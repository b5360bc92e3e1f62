import { readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(__dirname, "..", "..", "package.json");

/** The version of this package. */
export const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };
