import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A new folder for each test of the calling suite. @returns a function that gives its path */
export function freshFolder(): () => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-scripts-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Writes a file, with the folders that lead to it. */
export function put(file: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}

/** Writes an executable shell script. */
export function putCommand(file: string, script: string): void {
  put(file, `#!/bin/sh\n${script}\n`, 0o755);
}
