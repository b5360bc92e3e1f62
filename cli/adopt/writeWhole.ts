import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file whole or not at all, whatever the disk does. @throws Error that names the file */
export function writeWhole(file: string, text: string): void {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new Error(`${file} cannot be written: ${(error as Error).message}`);
  }
}
