import { unsetFor } from "../provider/configuration/configuration";
import { ENVIRONMENT_ONLY } from "../provider/configuration/configurationKeys";
import { ConfigurationError } from "../provider/configuration/error";
import { type Audience, type Message, MessageError, textOf } from "../provider/messages/message";
import { IN_ENVIRONMENT } from "../provider/messages/names";
import { type Run, startRun } from "../provider/run";

/** Who is at the command line, and has no stack: settings have the names of the environment. */
export const AT_COMMAND_LINE: Audience = { names: IN_ENVIRONMENT };

/** The same, in a line that begins with the name of the device. */
export const BESIDE_DEVICE: Audience = { ...AT_COMMAND_LINE, isBesideDevice: true };

/**
 * A run of the provider's own code that no stack configures: the environment alone does. Warnings go to standard error.
 */
export function startCommandRun(): Run {
  const environment = { ...process.env, [ENVIRONMENT_ONLY]: "true" };
  return startRun(() => undefined, environment, { warn: show, info: show, progress: async () => {} });
}

async function show(text: string): Promise<void> {
  console.error(text);
}

/** Everything that keeps a command from calling the service; empty if nothing does. */
export function configurationProblems(run: Run): readonly Message[] {
  try {
    return unsetFor(run.configuration());
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems;
  }
}

/** An error in words for the command line. */
export function textOfError(error: unknown): string {
  return error instanceof MessageError ? textOf(error.problem, AT_COMMAND_LINE) : (error as Error).message;
}
