import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { partsOf } from "../messages/names";
import type { LedgerLine } from "./ledgerLine";

/** The variable with the id of a run, for all its provider processes. */
export const RUN_ID = "SOLAR_CHARGING_RUN_ID";

/** Returns the origin of an update. @param urn the resource, if it is known */
export type Origin = (urn: string | undefined) => Partial<LedgerLine> & { readonly run: string; readonly by: string };

/**
 * Makes the origin of this process's updates. Without a run id in the environment, the process is a run of its own.
 * @param service address of the service, if it is known
 * @param approved the digest of the approved set, if the run has one
 * @param urnOfRun returns any resource of the run, so that each line has the stack
 */
export function originOf(
  environment: NodeJS.ProcessEnv,
  service?: string,
  approved?: string,
  urnOfRun: () => string | undefined = () => undefined,
): Origin {
  const run = environment[RUN_ID] || randomUUID();
  const by = runOfPipeline(environment) ?? desk(environment);
  return (urn) => {
    const { stack, project = environment.PULUMI_NODEJS_PROJECT } = partsOf(urn ?? urnOfRun());
    return { run, project, stack, service, urn, by, ...(approved !== undefined && { approved }) };
  };
}

/** The user and the machine: `jane@desk`. @param user returns the user; in a container, the user can lack a name */
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

/**
 * The address of the job of GitHub Actions, GitLab CI or Jenkins in which this process runs. It shows who started the
 * job. Undefined elsewhere.
 */
function runOfPipeline(environment: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, CI_JOB_URL, BUILD_URL } = environment;
  const github = GITHUB_RUN_ID && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  const address = [github, CI_JOB_URL, BUILD_URL].find(Boolean);
  if (!address || !/^https?:/.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address); // Leaves out user and query, which can contain a token.
  return origin + pathname;
}
