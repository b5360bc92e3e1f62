import { LineFile } from "./lineFile";

/**
 * Counts requests for whoever started this run: each is a line in the file that SOLAR_CHARGING_CALLS_FILE names, when it
 * is made. A file that cannot be written counts less, and fails nothing. Undefined if nobody counts.
 */
export function callCounter(environment: NodeJS.ProcessEnv): ((kind: string) => void) | undefined {
  const path = environment.SOLAR_CHARGING_CALLS_FILE;
  if (!path) return undefined;
  const file = new LineFile(path);
  return (kind) => {
    try {
      file.append(kind);
    } catch {
      // A count is not worth an update.
    }
  };
}
