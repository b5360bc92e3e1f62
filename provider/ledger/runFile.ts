import type { RunMessage } from "../messages/message";
import type { LedgerDevice } from "./ledgerLine";
import { LineFile } from "./lineFile";
import type { Outcome } from "./outcome";

/** The variable with the file in which a provider reports to the command that started the run. */
export const RUN_FILE = "SOLAR_CHARGING_RUN_FILE";

/** The reports of a running provider, each as a line of the file. */
export interface RunFile {
  /** Reports a request before it has any effect. */
  request(kind: string, device: LedgerDevice): void;
  /** Reports that the service begins to fail this process, or answers again. */
  turn(isFailing: boolean): void;
  message(message: RunMessage): void;
  /**
   * Reports the outcome of an operation: a line for each device, then one for the site. @param outcome called only if
   * there is a file
   */
  outcome(outcome: () => Outcome): void;
  /** Closes the file until the next report. */
  close(): void;
}

/** The first words of lines that are not about requests. Several processes write, so these lines name their process. */
export const FAILING = "FAILING";
export const ANSWERING = "ANSWERING";
export const MESSAGE = "MESSAGE";
export const DEVICE = "DEVICE";
export const SITE = "SITE";

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
    outcome: (outcome) => {
      const lines = file ? linesOf(outcome()) : "";
      if (lines) append(lines);
    },
    close: () => file?.close(),
  };
}

/** The lines of an outcome. The site is last, so that a reader knows that it has all devices. */
function linesOf({ urn, operation, site, devices }: Outcome): string {
  const line = (word: string, fields: object) => `${word} ${JSON.stringify({ urn, operation, ...fields })}`;
  return [...devices.map((device) => line(DEVICE, device)), ...(site ? [line(SITE, site)] : [])].join("\n");
}
