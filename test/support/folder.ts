import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns a function that gives paths in a temporary folder. The folder exists during one test. */
export function temporaryFolder(): (name: string) => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-test-"));
  });
  afterEach(() => removeFolder(folder));
  return (name) => join(folder, name);
}

/** Removes a folder. It tries again if a process that a test has killed or left behind writes its last file there. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Every file in a folder and below it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // Skips links, because packages link to each other in circles, and pipes, because one of a killed engine never
    // ends.
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}
