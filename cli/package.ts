import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of this package, two levels above both this file and the bundle. */
export const PACKAGE = join(__dirname, "..", "..");

/** The version of this package. */
export const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
