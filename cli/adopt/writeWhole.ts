import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/**
 * Writes a file whole or not at all, whatever the disk does. One that is there keeps its mode, and a link to it stays.
 * @throws Error that names the file
 */
export function writeWhole(file: string, text: string): void {
  const { target, mode } = whatIsAt(file);
  const beside = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text, { mode });
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new Error(`${file} cannot be written: ${(error as Error).message}`);
  }
}

function whatIsAt(file: string): { readonly target: string; readonly mode?: number } {
  try {
    const target = realpathSync(file);
    return { target, mode: statSync(target).mode };
  } catch {
    return { target: file };
  }
}
