import { mkdtempSync, rmSync } from "node:fs";
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
