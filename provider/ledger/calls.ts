import { LineFile } from "./lineFile";

/**
 * Counts requests for whoever started this run: each is a line in the file that SOLAR_CHARGING_CALLS_FILE names, when it
 * is made. A file that cannot be written counts less, and fails nothing. Undefined if nobody counts.
 */
export function callCounter(environment: NodeJS.ProcessEnv): ((kind: string) => void) | undefined {
  return appender(environment);
}

/**
 * Reports in the same file when the service begins to fail this process, and when it answers again: `FAILING 4711`,
 * `ANSWERING 4711`, with the id of the process, as several write to the file. Undefined if nobody reads it.
 */
export function turnReporter(environment: NodeJS.ProcessEnv): ((isFailing: boolean) => void) | undefined {
  const append = appender(environment);
  return append && ((isFailing) => append(`${isFailing ? "FAILING" : "ANSWERING"} ${process.pid}`));
}

function appender({ SOLAR_CHARGING_CALLS_FILE: path }: NodeJS.ProcessEnv): ((line: string) => void) | undefined {
  if (!path) return undefined;
  const file = new LineFile(path);
  return (line) => {
    try {
      file.append(line);
    } catch {
      // A count is not worth an update.
    }
  };
}
