import type { RunMessage } from "../messages/message";
import type { Done } from "./done";
import { LineFile } from "./lineFile";

/** The variable with the file in which a provider reports to the command that started its run. */
export const RUN_FILE = "SOLAR_CHARGING_RUN_FILE";

/** A report of a provider to the command that started the run. */
interface News {
  /** The kind of a request that is about to be made. */
  readonly request?: string;
  /** Whether the service begins to fail for this process, or answers again. */
  readonly isFailing?: boolean;
  readonly message?: RunMessage;
  readonly done?: Done;
}

/** A line of the file, with the process that wrote it. */
export interface RunLine extends News {
  readonly pid: number;
}

/** The file of reports. Without a file in the environment, it does nothing. */
interface RunFile {
  /** Appends a line. Failing to write it is not an error. @param news called only if there is a file */
  report(news: () => News | undefined): void;
  /** Closes the file until the next report. */
  close(): void;
}

export function runFileOf({ [RUN_FILE]: path }: NodeJS.ProcessEnv): RunFile {
  const file = path ? new LineFile(path, 0o600) : undefined;
  return {
    report: (news) => {
      try {
        const found = file && news();
        if (found) file?.append(JSON.stringify({ pid: process.pid, ...found }));
      } catch {
        // A failed report must not fail an update.
      }
    },
    close: () => file?.close(),
  };
}
