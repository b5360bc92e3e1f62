import { ENVIRONMENT_ONLY } from "../provider/configuration/configurationKeys";
import { ConfigurationError } from "../provider/configuration/error";
import { type Audience, type Message, MessageError, textOf } from "../provider/messages/message";
import { IN_ENVIRONMENT } from "../provider/messages/names";
import { type Display, type EngineRun, startRun } from "../provider/run";

/**
 * Starts a run that is configured by the environment alone, without a stack. Warnings go to standard error.
 * @param variables in addition to those of the environment
 */
export function startCommandRun(variables: NodeJS.ProcessEnv = {}): EngineRun {
  const environment = { ...process.env, ...variables, [ENVIRONMENT_ONLY]: "true" };
  return startRun(() => undefined, environment, STANDARD_ERROR);
}

const show = async (text: string) => console.error(text);

/** Shows the messages of a command's run on standard error. */
export const STANDARD_ERROR: Display = { warn: show, info: show };

/** The problems that keep a command from calling the service. */
export function configurationProblems(run: EngineRun): readonly Message[] {
  try {
    return run.configuration().unset;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems;
  }
}

/** An error in words for the command line. */
export function textOfError(error: unknown): string {
  return error instanceof MessageError ? textOf(error.problem, AT_COMMAND_LINE) : (error as Error).message;
}

/** The audience at the command line. It has no stack, so messages name configuration by environment variable. */
export const AT_COMMAND_LINE: Audience = { names: IN_ENVIRONMENT };
