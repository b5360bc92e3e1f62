import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse, parseAllDocuments } from "yaml";
import { FleetProject } from "../support/fleetProject";
import { MAIN, outputOf, PLUGIN_FOLDER, ROOT, runMain } from "../support/project";

const site = (deviceId: string) => ({
  vehicles: { car: { deviceId, maxCapacity: "77 kWh", onDelete: "restore", ignoreLints: ["ignored-metadata"] } },
});
const SITES = { oslo: site("car"), rome: site("car-2") };

describe("engine: the operator's project", () => {
  let project: FleetProject;
  beforeEach(async () => {
    project = await FleetProject.create(["car", "car-2"]);
    cpSync(join(ROOT, "examples", "pipelines", "operator"), join(project.folder, "operator"), { recursive: true });
    // The operator's workspace is a link to the folder of the clone.
    symlinkSync(join(project.folder, "operator"), join(project.folder, "workspace"));
    const bin = join(project.folder, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(join(PLUGIN_FOLDER, "pulumi-resource-solar-charging"), join(bin, "pulumi-resource-solar-charging"));
    project.write("node_modules/.bin/solar-charging", `#!/bin/sh\nexec node ${MAIN} "$@"\n`);
    chmodSync(join(bin, "solar-charging"), 0o755);
  });
  afterEach(() => project.close());

  const declare = (sites: object, shards = 1) => project.declare(JSON.stringify({ fleet: "acme", shards, sites }));

  /** Runs Pulumi as the operator does. */
  const pulumi = (...args: string[]) =>
    outputOf(
      spawn("pulumi", [...args, "--non-interactive"], { cwd: join(project.folder, "workspace"), env: project.env }),
    );
  const succeeds = async (...args: string[]) => {
    const { code, text } = await pulumi(...args);
    expect(code, text).to.equal(0);
    return text;
  };

  it("applies the manifest, and fleet up continues with its stack without a request that changes a device", async () => {
    declare(SITES);
    await succeeds("stack", "init", "shard-1-of-1");
    await succeeds("up", "--yes", "--refresh", "--skip-preview");
    expect(project.capacities()).to.deep.equal([77_000, 77_000]);

    const drift = await project.summary("drift");
    expect(drift, drift.text).to.include({ code: 0, unchanged: 2 });
    const up = await project.summary("up", "--yes");
    expect(up, up.text).to.include({ code: 0, failed: 0, changed: 0, unchanged: 2 });
    expect(up.calls?.[0]?.patch).to.equal(0);
    await succeeds("up", "--yes", "--refresh", "--skip-preview", "--expect-no-changes");

    expect((await project.summary("destroy", "--yes")).code).to.equal(0);
    expect(project.capacities()).to.deep.equal([60_000, 60_000]);
  });

  it("follows the manifest, and repairs drift", async () => {
    declare(SITES);
    await succeeds("stack", "init", "shard-1-of-1");
    await succeeds("up", "--yes", "--refresh", "--skip-preview");
    project.simulator.appUserSets("acme", "car", { max_capacity: 50_000 });
    declare({ oslo: SITES.oslo });
    await succeeds("up", "--yes", "--refresh", "--skip-preview");
    expect(project.capacities()).to.deep.equal([77_000, 60_000]);
  });

  it("changes nothing if the manifest is not right, or the stack is not one of the fleet", async () => {
    declare({});
    await succeeds("stack", "init", "shard-1-of-1");
    expect((await pulumi("up", "--yes", "--skip-preview")).code).not.to.equal(0);
    declare(SITES);
    await succeeds("stack", "init", "production");
    const { code, text } = await pulumi("up", "--yes", "--skip-preview", "--stack", "production");
    expect(code).not.to.equal(0);
    expect(text).to.contain("'production'");
    expect(project.simulator.requests).to.deep.equal([]);
  });
});

describe("engine: a pipeline from the review to the update", () => {
  let project: FleetProject;
  beforeEach(async () => {
    project = await FleetProject.create(["car", "car-2"]);
    mkdirSync(join(project.folder, "bin"));
    writeFileSync(join(project.folder, "bin", "npx"), `#!/bin/sh\nshift\nexec node ${MAIN} "$@"\n`, { mode: 0o755 });
  });
  afterEach(() => project.close());

  const FOLDER = join(ROOT, "examples", "pipelines");
  const { jobs: ofGithub } = parse(readFileSync(join(FOLDER, "github", "fleet.yml"), "utf8"));
  const [, ofGitlab] = parseAllDocuments(readFileSync(join(FOLDER, "gitlab", "fleet.yml"), "utf8")).map((one) =>
    one.toJS(),
  );
  const step = (job: string, name: string): string =>
    ofGithub[job].steps.find((one: { name?: string }) => one.name === name).run;
  const script = (job: string): string =>
    ofGitlab[`${job}-$[[ inputs.fleet ]]`].script.join("\n").replaceAll("$[[ inputs.fleet ]]", "acme");

  /** Runs the commands of a job like a runner. */
  const run = (commands: string, env: NodeJS.ProcessEnv) =>
    outputOf(
      spawn("bash", ["-e", "-c", commands], {
        cwd: project.folder,
        env: {
          ...project.env,
          PATH: `${join(project.folder, "bin")}:${project.env.PATH}`,
          MANIFEST: "fleet.yaml",
          PART: "1/1",
          ...env,
        },
      }),
    );
  const written = (file: string, name: string) =>
    new RegExp(`^${name}=(.*)$`, "m").exec(readFileSync(join(project.folder, file), "utf8"))?.[1] ?? "";

  const FORGES = {
    GitHub: {
      preview: () => run(step("preview", "Preview"), { INDEX: "0" }),
      approve: () => run(step("approve", "Approve"), { GITHUB_OUTPUT: "output", GITHUB_STEP_SUMMARY: "summary.md" }),
      up: () => run(step("rest", "Up"), { SOLAR_CHARGING_APPROVED: `approved.json#${written("output", "digest")}` }),
      leaving: 0,
      output: "output",
    },
    GitLab: {
      preview: () => run(script("preview"), { CI_NODE_INDEX: "1" }),
      approve: () => run(script("approve"), {}),
      up: () => run(script(".up"), { DIGEST: written("digest.env", "DIGEST") }),
      leaving: 2, // The job may fail with it.
      output: "digest.env",
    },
  };
  for (const [forge, { preview, approve, up, leaving, output }] of Object.entries(FORGES)) {
    it(`at ${forge} sends what was approved, leaves drift elsewhere, and sends nothing without a digest`, async () => {
      project.declare(JSON.stringify({ fleet: "acme", shards: 1, sites: { rome: SITES.rome } }));
      await project.run("up", "--yes");
      project.declare(JSON.stringify({ fleet: "acme", shards: 1, sites: SITES }));
      project.simulator.appUserSets("acme", "car-2", { max_capacity: 50_000 });
      await preview();
      const approved = await approve();
      expect(approved.code, approved.text).to.equal(0);
      expect(readFileSync(join(project.folder, "report.md"), "utf8")).to.match(/Approved set: .*allows 1 value/);
      const { code, text } = await up();
      expect(code, text).to.equal(leaving);
      expect(text).to.match(/left as it is: 1 device \(.*car-2\): .*--approve-repair/);
      expect(project.capacities()).to.deep.equal([77_000, 50_000]);
      project.simulator.appUserSets("acme", "car", { max_capacity: 50_000 });
      writeFileSync(join(project.folder, output), "");
      expect((await up()).code).to.equal(1);
      expect(project.capacities()).to.deep.equal([50_000, 50_000]);
    });
  }
});

describe("engine: a part of a fleet that has no stacks, as in a pipeline with more jobs than stacks", () => {
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create(["car"]);
  });
  after(() => project.close());

  it("does nothing, and its review passes", async () => {
    project.declare(JSON.stringify({ fleet: "acme", sites: { oslo: site("car") } }));
    for (const [operation, ...args] of [["preview"], ["up", "--yes"], ["drift"]] as const) {
      const summary = await project.summary(operation, ...args, "--shard", "2/4");
      expect(summary, summary.text).to.deep.include({ code: 0, sites: [] });
      project.write(`${operation}.json`, summary.stdout);
    }
    const { code, stdout } = await runMain(["review", "--fail-on", "removed,drift", "preview.json", "drift.json"], {
      cwd: project.folder,
    });
    expect([code, stdout.split("\n")[0]]).to.deep.equal([0, "✅ no change"]);
    expect(project.simulator.requests).to.deep.equal([]);
  });
});
