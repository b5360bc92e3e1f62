import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
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
    expect(up.calls.patch).to.equal(0);
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
      expect(summary, summary.text).to.deep.include({ code: 0, devices: [] });
      project.write(`${operation}.json`, summary.stdout);
    }
    const { code, stdout } = await runMain(["review", "--fail-on", "removed,drift", "preview.json", "drift.json"], {
      cwd: project.folder,
    });
    expect([code, stdout.split("\n")[0]]).to.deep.equal([0, "✅ no change"]);
    expect(project.simulator.requests).to.deep.equal([]);
  });
});
