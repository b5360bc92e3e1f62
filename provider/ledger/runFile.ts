import type { RunMessage } from "../messages/message";
import type { Done } from "./done";
import { LineFile } from "./lineFile";

/** The variable with the file in which a provider reports to the command that started its run. */
export const RUN_FILE = "SOLAR_CHARGING_RUN_FILE";

/** A line of the file: a report of a provider to the command that started the run. */
export interface RunLine {
  /** The process that wrote it. */
  readonly pid: number;
  /** The kind of a request that is about to be made. */
  readonly request?: string;
  /** Whether the service begins to fail for this process, or answers again. */
  readonly isFailing?: boolean;
  readonly message?: RunMessage;
  readonly done?: Done;
}

/** The file of reports. Without a file in the environment, it does nothing. */
export function runFileOf({ [RUN_FILE]: path }: NodeJS.ProcessEnv) {
  const file = path ? new LineFile(path, 0o600) : undefined;
  return {
    /** Appends a line. Failing to write it is not an error. @param news called only if there is a file */
    report: (news: () => Omit<RunLine, "pid">) => {
      try {
        file?.append(JSON.stringify({ pid: process.pid, ...news() }));
      } catch {
        // A failed report must not fail an update.
      }
    },
    /** Closes the file until the next report. */
    close: () => file?.close(),
  };
}
