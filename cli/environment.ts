import { ENVIRONMENT_ONLY } from "../provider/configuration/configurationKeys";
import { ConfigurationError } from "../provider/configuration/error";
import { type Audience, type Message, MessageError, textOf } from "../provider/messages/message";
import { IN_ENVIRONMENT, IN_STACK } from "../provider/messages/names";
import { type EngineRun, startRun } from "../provider/run";

/** The configuration of a stack, or of the provider with this name. */
interface Given {
  get(key: string): string | undefined;
  readonly provider?: string | undefined;
}

/**
 * Starts a run of a command. Warnings go to standard error.
 * @param variables in addition to those of the environment
 * @param given default: the environment alone configures the run
 */
export function startCommandRun(variables: NodeJS.ProcessEnv = {}, given?: Given): EngineRun {
  const environment = { ...process.env, ...variables, ...(!given && { [ENVIRONMENT_ONLY]: "true" }) };
  const { provider } = given ?? {};
  const get = (key: string) => given?.get(provider === undefined ? IN_STACK.of(key) : key);
  return startRun(get, environment, { warn: show, info: show }, { provider });
}

const show = async (text: string) => console.error(text);

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
