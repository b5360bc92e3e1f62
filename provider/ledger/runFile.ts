import type { RunMessage } from "../messages/message";
import type { LedgerDevice } from "./ledgerLine";
import { LineFile } from "./lineFile";

/** The variable with the file in which a provider reports to the command that started the run. */
export const RUN_FILE = "SOLAR_CHARGING_RUN_FILE";

/** The reports of a running provider, each as a line of the file. */
export interface RunFile {
  /** Reports a request before it has any effect. */
  request(kind: string, device: LedgerDevice): void;
  /** Reports that the service begins to fail this process, or answers again. */
  turn(isFailing: boolean): void;
  message(message: RunMessage): void;
}

/** The first words of lines that are not about requests. Several processes write, so these lines name their process. */
export const FAILING = "FAILING";
export const ANSWERING = "ANSWERING";
export const MESSAGE = "MESSAGE";

/** Reports to the file in the environment, if one is set. Failing to write it is not an error. */
export function runFileOf({ [RUN_FILE]: path }: NodeJS.ProcessEnv): RunFile {
  const file = path ? new LineFile(path, 0o600) : undefined;
  const append = (line: string) => {
    try {
      file?.append(line);
    } catch {
      // A failed report must not fail an update.
    }
  };
  return {
    request: (kind, { businessId, deviceId }) => append(`${kind} ${businessId}/${deviceId}`),
    turn: (isFailing) => append(`${isFailing ? FAILING : ANSWERING} ${process.pid}`),
    message: (message) => append(`${MESSAGE} ${JSON.stringify(message)}`),
  };
}
