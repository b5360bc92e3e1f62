import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import type { LedgerLine } from "./ledgerLine";
import { runOfPipeline } from "./pipeline";

/** The variable that names a run to all its provider processes. */
export const RUN_ID = "SOLAR_CHARGING_RUN_ID";

/** Gives who sends an update. @param urn the resource, if it is known. @param urnOfRun any resource of the run */
export type Origin = (
  urn: string | undefined,
  urnOfRun?: string,
) => Partial<LedgerLine> & { readonly run: string; readonly by: string };

/** Who sends the updates of this process. Without a run id in the environment, the process is a run of its own. */
export function originOf(environment: NodeJS.ProcessEnv): Origin {
  const run = environment[RUN_ID] || randomUUID();
  const by = runOfPipeline(environment) ?? desk(environment);
  return (urn, urnOfRun) => {
    // urn:pulumi:<stack>::<project>::<type>::<name>
    const [, stack, project = environment.PULUMI_NODEJS_PROJECT] =
      /^urn:pulumi:(.*?)::(.*?)::/.exec(urn ?? urnOfRun ?? "") ?? [];
    return { run, project, stack, urn, by };
  };
}

/** Who runs this at which machine: `jane@desk`. @param user gives the user; a container can have one without a name */
export function desk(environment: NodeJS.ProcessEnv, user: () => { readonly username: string } = userInfo): string {
  return `${nameOfUser(environment, user)}@${hostname()}`;
}

function nameOfUser(environment: NodeJS.ProcessEnv, user: () => { readonly username: string }): string {
  try {
    return user().username;
  } catch {
    return environment.USER || "unknown";
  }
}
