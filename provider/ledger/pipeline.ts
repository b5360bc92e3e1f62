/**
 * The address of the run of GitHub Actions, GitLab CI or Jenkins that this process is a part of, for who has to find out
 * who did something: it leads to the person for those who may see that. Undefined elsewhere.
 */
export function runOfPipeline(environment: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, CI_JOB_URL, BUILD_URL } = environment;
  const github = GITHUB_RUN_ID && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  const address = [github, CI_JOB_URL, BUILD_URL].find(Boolean);
  if (!address || !/^https?:/.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address); // Without user and query, which can contain a token.
  return origin + pathname;
}
