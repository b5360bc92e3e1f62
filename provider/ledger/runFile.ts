import type { Message } from "../messages/message";
import { LineFile } from "./lineFile";

/** The variable that names a file to a provider, in which it reports to whoever started the run. */
export const RUN_FILE = "SOLAR_CHARGING_RUN_FILE";

/** Something about a site or one of its devices that whoever started the run has to know. */
export interface Problem extends Message {
  /** `error`: the device could not be read, set or given back. */
  readonly severity: "error" | "warning";
  /** The operation that failed, or that found it. */
  readonly operation: string;
  readonly site: string;
  /** `vehicle/<name>` or `inverter/<name>`; absent if it is about the site as a whole. */
  readonly device?: string;
}

/** The reports of a running provider, each as a line of the file. */
export interface RunFile {
  /** A request, when it is made. */
  request(kind: string): void;
  /** The service begins to fail this process, or answers again. */
  turn(isFailing: boolean): void;
  problem(problem: Problem): void;
}

/** The marks of lines that have more than the kind of a request. Several processes write, so turns name theirs. */
export const FAILING = "FAILING";
export const ANSWERING = "ANSWERING";
export const PROBLEM = "PROBLEM";

/** Reports to the file that the environment names, if it names one. A file that cannot be written fails nothing. */
export function runFileOf({ [RUN_FILE]: path }: NodeJS.ProcessEnv): RunFile {
  const file = path ? new LineFile(path) : undefined;
  const append = (line: string) => {
    try {
      file?.append(line);
    } catch {
      // A report is not worth an update.
    }
  };
  return {
    request: append,
    turn: (isFailing) => append(`${isFailing ? FAILING : ANSWERING} ${process.pid}`),
    problem: (problem) => append(`${PROBLEM} ${JSON.stringify(problem)}`),
  };
}
