import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A function that gives paths in a temporary folder, which is there for one test. */
export function temporaryFolder(): (name: string) => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-test-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** Every file in a folder and below it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // Packages are linked, and link to each other in circles; a pipe that a killed engine leaves never ends.
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}
