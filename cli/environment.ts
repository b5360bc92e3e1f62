import { unsetFor } from "../provider/configuration/configuration";
import { variableOf } from "../provider/configuration/configurationKeys";
import { ConfigurationError } from "../provider/configuration/error";
import { type Run, startRun } from "../provider/run";

/** A run of the provider's own code that no stack configures: the environment alone does. Warnings go to standard error. */
export function startCommandRun(): Run {
  return startRun(() => undefined, process.env, { warn: show, info: show, progress: async () => {} });
}

async function show(message: string): Promise<void> {
  console.error(inEnvironment(message));
}

/** Everything that keeps a command from calling the service; empty where nothing does. */
export function configurationProblems(run: Run): string[] {
  try {
    return unsetFor(run.configuration()).map(inEnvironment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(inEnvironment);
  }
}

/** A message in which settings have the names of the environment only, because a command knows no stack. */
export function inEnvironment(message: string): string {
  return message
    .replace(/solar-charging:\w+ or (?=SOLAR_CHARGING_)/g, "")
    .replace(/solar-charging:(\w+)/g, (_, key: string) => variableOf(key));
}
