import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Argument, Command, InvalidArgumentError, type OutputConfiguration } from "commander";
import { readManifest } from "../../provider/manifest/manifest";
import { type Manifest, membersOf } from "../../provider/manifest/model";
import { shardsOf } from "../../provider/manifest/shards";
import { examples, withRequired } from "../help";
import { version } from "../package";
import { githubWorkflow } from "./github";
import { gitlabPipeline } from "./gitlab";
import { operatorFiles } from "./operator";
import { type GeneratedFile, portable, stacksOf } from "./pipelines";

const KINDS = ["github", "gitlab", "operator"] as const;
type Kind = (typeof KINDS)[number];

/**
 * The options that only some kinds of files have. GitLab's pipeline always applies the default branch of its project.
 */
const OPTIONS: Readonly<Record<string, readonly Kind[]>> = {
  jobs: ["github", "gitlab"],
  branch: ["github", "operator"],
  repository: ["operator"],
  organization: ["operator"],
};

/** GitLab's limit of jobs in one matrix; GitHub's is 256. */
const MOST_JOBS = 200;
/** Default number of jobs of a pipeline (our choice). */
const DEFAULT_JOBS = 4;
/** The branch that is applied if none is named. */
const DEFAULT_BRANCH = "main";

interface Options {
  readonly manifest: string;
  readonly jobs?: number;
  readonly out?: string;
  readonly repository?: string;
  readonly branch?: string;
  readonly organization?: string;
}

/** `fleet generate`: files that run a fleet in CI or Kubernetes. */
export function generateCommand(): Command {
  const command = new Command("generate").description(
    "Make the files that run a fleet in GitHub Actions, GitLab CI or the Pulumi Kubernetes Operator",
  );
  return withRequired(
    command,
    "-m, --manifest <file>",
    "the fleet's manifest, as a path from the root of the repository",
  )
    .addArgument(new Argument("<kind>", "the system that will run the fleet").choices(KINDS))
    .option(
      "--jobs <number>",
      `github, gitlab: number of jobs that share the stacks, at most one for each stack (default: up to ${DEFAULT_JOBS})`,
      jobsIn,
    )
    .option("--out <folder>", "write the files below this folder (default: to standard output)")
    .option("--repository <url>", "operator: the Git repository that will hold the files")
    .option("--branch <name>", `github, operator: the branch to apply (default: ${DEFAULT_BRANCH})`, branchIn)
    .option("--organization <name>", "operator: your organization at Pulumi Cloud (default: a backend of your own)")
    .addHelpText(
      "after",
      examples(
        "fleet generate github --manifest fleet.yaml --jobs 8 --out .",
        "fleet generate gitlab --manifest fleet.yaml",
        "fleet generate operator --manifest fleet.yaml --repository https://github.com/acme/fleet --out .",
      ),
    )
    .action((kind: Kind, options: Options, command: Command) => {
      refuseStrangers(kind, options);
      const files = generated(kind, readManifest(options.manifest), options);
      const { writeOut, writeErr } = command.configureOutput() as Required<OutputConfiguration>;
      options.out === undefined ? print(files, writeOut) : write(files, options.out, writeErr);
    });
}

function generated(
  kind: Kind,
  manifest: Manifest,
  { manifest: file, jobs, repository, branch, organization }: Options,
): GeneratedFile[] {
  const path = portable(file);
  if (manifest.sites.flatMap(membersOf).length === 0)
    throw new Error(`the manifest of ${manifest.fleet} has no devices: there is nothing to run`);
  if (kind === "operator") {
    if (repository === undefined)
      throw new Error("the operator needs --repository, because it clones the files from there");
    refuseSecrets(repository);
    if (manifest.shards === undefined) {
      throw new Error(
        "the operator's files name the stacks, so the manifest must declare their number as shards: the present " +
          `number, or shards: ${shardsOf(manifest)} for a new fleet`,
      );
    }
    return operatorFiles(manifest, path, {
      repository,
      branch: branch ?? DEFAULT_BRANCH,
      ...(organization && { organization }),
      version,
    });
  }
  const stacks = stacksOf(manifest).length;
  if (jobs !== undefined && jobs > stacks) {
    throw new Error(`--jobs must be at most ${stacks}, the number of stacks of the fleet, not ${jobs}`);
  }
  const count = jobs ?? Math.min(DEFAULT_JOBS, stacks);
  if (kind === "github") return [githubWorkflow(manifest.fleet, path, count, branch ?? DEFAULT_BRANCH)];
  return [gitlabPipeline(manifest.fleet, path, count)];
}

/** Refuses options that would have no effect. @throws Error that names the option */
function refuseStrangers(kind: Kind, options: Options): void {
  for (const [option, kinds] of Object.entries(OPTIONS)) {
    if (option in options && !kinds.includes(kind)) {
      throw new Error(`--${option} is for ${kinds.join(" and ")}, and has no effect for ${kind}: leave it out`);
    }
  }
}

/**
 * Refuses an address that contains a token, because everybody who can read the files would have it. A user name for
 * SSH is allowed.
 * @throws Error that does not show the address
 */
function refuseSecrets(repository: string): void {
  if (!repository.includes("@") || /^(ssh:\/\/[\w.-]+@|[\w.-]+@[\w.-]+:)[^@]+$/.test(repository)) return;
  throw new Error(
    "--repository must not contain a user or a password, because the address is written into files. For a private " +
      "repository, name the secret with its token in gitAuth of the Stack resources",
  );
}

function jobsIn(text: string): number {
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > MOST_JOBS) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST_JOBS}.`);
  }
  return jobs;
}

/** Accepts only branch names that need no escaping in a pipeline: without patterns and quotes. */
function branchIn(text: string): string {
  if (!/^\w[\w./-]*$/.test(text))
    throw new InvalidArgumentError("Give the name of a branch, with only letters, digits and _ . / -.");
  return text;
}

function print(files: readonly GeneratedFile[], say: (text: string) => void): void {
  for (const { path, text } of files) {
    if (files.length > 1) say(`# --- ${path}\n`);
    say(text);
  }
}

function write(files: readonly GeneratedFile[], folder: string, say: (text: string) => void): void {
  for (const { path, text } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    say(`wrote ${file}\n`);
  }
}
