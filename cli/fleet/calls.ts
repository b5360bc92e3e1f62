import { readFileSync } from "node:fs";
import type { Calls } from "./summary";

/** The requests in a file of SOLAR_CHARGING_CALLS_FILE, which has a line for each. No file: no request was made. */
export function callsIn(file: string): Calls {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const lines = text.split("\n");
  const count = (kind: string) => lines.filter((line) => line === kind).length;
  return { get: count("GET"), patch: count("PATCH"), latest: count("LATEST") };
}
