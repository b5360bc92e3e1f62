import { statSync } from "node:fs";

/** A pipe keeps nothing, and whoever opens one that nobody has the other end of waits for ever. */
export function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false; // Opening it fails with the reason.
  }
}
