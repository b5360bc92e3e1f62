import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { expectFacts } from "../support/facts";
import { changeIn, FleetProject } from "../support/fleetProject";
import { filesBelow } from "../support/folder";

const cars = ["car-a", "car-b", "car-c", "car-d"];

/** Four sites with a car each, in two stacks. One has `oslo`, the alphabetically first site, and `vienna`. */
function manifest(capacity: string, sites: readonly string[] = ["oslo", "paris", "rome", "vienna"]): string {
  return [
    "fleet: acme",
    "shards: 2",
    `defaults: { vehicle: { maxCapacity: ${capacity}, maxChargePower: 11 kW, ignoreLints: [ignored-metadata] } }`,
    "sites:",
    ...sites.map((id, index) => `  ${id}: { vehicles: { ${cars[index]}: { deviceId: ${cars[index]} } } }`),
  ].join("\n");
}

describe("engine: the driver of a fleet", () => {
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create(cars);
  });
  after(() => project.close());

  it("fails no stack for the program of another that runs at the same time", async () => {
    project.declare(`fleet: ready
shards: 8
sites:
  oslo: { solar: true, requireReady: true, vehicles: { car: { deviceId: car-a } } }
  paris: { vehicles: { car: { deviceId: car-b, maxCapacity: 77 kWh } } }
  rome: { vehicles: { car: { deviceId: car-c, maxCapacity: 77 kWh } } }
  vienna: { vehicles: { car: { deviceId: car-d, maxCapacity: 77 kWh } } }`);
    const preview = await project.summary("preview");
    expect(preview, JSON.stringify(preview)).to.include({ code: 1, added: 3, failed: 1, held: 0 });
    expect(preview.failures?.map(({ devices }) => devices)).to.deep.equal([["acme/car-a"]]);
    expect(preview.errors).to.deep.equal([]);
  });

  it("starts the plugin once for each stack, because the host of YAML keeps its schema", async () => {
    const starts = project.path("starts");
    project.write("count.cjs", `require("fs").appendFileSync(${JSON.stringify(starts)}, process.argv[1] + "\\n")`);
    project.declare(manifest("77 kWh"));
    expect(await project.summary("preview")).to.include({ code: 2 });
    project.env.NODE_OPTIONS = `--require ${project.path("count.cjs")}`;
    expect(await project.summary("preview")).to.include({ code: 2 });
    delete project.env.NODE_OPTIONS;
    const ofPlugin = readFileSync(starts, "utf8")
      .split("\n")
      .filter((file) => file.includes("pulumi-resource-"));
    expect(ofPlugin).to.have.length(2);
  });

  it("keeps the engine's log only if it is asked for", async () => {
    const home = project.path("pulumi-home");
    mkdirSync(home);
    symlinkSync(join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions"), join(home, "versions"));
    project.env.PULUMI_HOME = home;
    project.declare(manifest("77 kWh"));
    const logs = () => filesBelow(home).filter((file) => file.includes("logs"));
    expect(await project.summary("preview")).to.include({ code: 2 });
    expect(logs()).to.deep.equal([]);
    expect(await project.summary("preview", "--engine-log")).to.include({ code: 2 });
    expect(logs()).to.have.length.above(0);
    delete project.env.PULUMI_HOME;
  });

  // One test, because each step needs the one before.
  it("previews, rolls out in waves, stops at a failing canary, continues, shows and repairs drift, destroys, and starts again", async () => {
    const { simulator } = project;
    project.declare(manifest("77 kWh"));
    const preview = await project.summary("preview");
    expect(preview, JSON.stringify(preview)).to.include({ code: 2, added: 4, failed: 0 });
    expect(simulator.requests).to.have.length(0);

    simulator.fail({ method: "PATCH", deviceId: "car-a", status: 422, body: "no" });
    const failing = await project.summary("up", "--yes");
    expect(failing, JSON.stringify(failing)).to.include({ code: 3, failed: 1, added: 0 });
    expect(failing.errors[0]?.text).to.match(/^wave canary: 1 of 1 devices failed/);
    expect(project.capacities()).to.deep.equal([60_000, 60_000, 60_000, 60_000]);

    const refused = await project.summary("up", "--gate", "test $SOLAR_CHARGING_WAVE != canary");
    expect(refused, JSON.stringify(refused)).to.include({ code: 3 });
    expect(refused.errors).to.deep.equal([
      {
        code: "stopped",
        text: "stopped by the gate or your answer, after wave canary. To continue, run the same command again",
      },
    ]);
    expect(project.capacities()).to.deep.equal([77_000, 60_000, 60_000, 60_000]);

    const resumed = await project.summary("up", "--yes");
    expect(resumed, JSON.stringify(resumed)).to.include({ code: 0, failed: 0, added: 3 });
    // Three created sites read twice. The canary of the earlier run is read once, before the comparison.
    expect(resumed.calls?.[0]).to.deep.include({ get: 7, patch: 3, latest: 0 });
    expect(project.capacities()).to.deep.equal([77_000, 77_000, 77_000, 77_000]);

    simulator.appUserSets("acme", "car-c", { max_capacity: 70_000 });
    const drift = await project.summary("drift");
    expect(drift, JSON.stringify(drift)).to.include({ code: 2, drifted: 1, changed: 0 });
    expect(changeIn(drift, "rome", "vehicle/car-c")).to.deep.include({
      kind: "changed",
      settings: [{ setting: "maxCapacity", from: 77_000, to: 70_000 }],
    });

    const accepted = await project.run("drift", "--accept", "--setting", "maxCapacity");
    expect(accepted.code, accepted.text).to.equal(0);
    expect(readFileSync(project.path("fleet.yaml"), "utf8")).to.contain("{ deviceId: car-c, maxCapacity: 70000 }");
    expect(await project.summary("drift"), "nothing was sent").to.include({ code: 2, drifted: 1 });
    project.declare(manifest("77 kWh"));

    const texts = filesBelow(project.folder).map((file) => readFileSync(file, "utf8"));
    expect(texts.filter((text) => text.includes("car-a"))).to.have.length.greaterThan(1); // At least the manifest and the state.
    expect(texts.filter((text) => text.includes(simulator.token))).to.deep.equal([]);

    expect(drift.repair).to.equal("npx solar-charging fleet up --manifest fleet.yaml");
    const shown = await project.summary("preview", "--refresh");
    expect(shown, JSON.stringify(shown)).to.include({ code: 2, changed: 1, unchanged: 3 });
    const repaired = { kind: "changed", settings: [{ setting: "maxCapacity", from: 70_000, to: 77_000 }] };
    expect(changeIn(shown, "rome", "vehicle/car-c")).to.deep.include(repaired);
    expect(shown.calls?.[0]).to.deep.include({ get: 4, patch: 0, latest: 0 });
    const nothing = await project.summary("up", "--yes", "--no-refresh");
    expect(nothing, JSON.stringify(nothing)).to.include({ code: 0, changed: 0, unchanged: 4 });
    expect(nothing.calls?.[0]).to.deep.include({ get: 0, patch: 0, latest: 0 });

    // A device that cannot be read does not prevent the repair of others in its stack.
    simulator.fail({ method: "GET", deviceId: "car-b", status: 403, body: "no" });
    const repair = await project.summary("up", "--yes", "--max-failures", "100%");
    expect(repair, JSON.stringify(repair)).to.include({ code: 1, changed: 1, unchanged: 2, failed: 1 });
    expect(changeIn(repair, "rome", "vehicle/car-c")).to.deep.include(repaired);
    expect(project.capacities()).to.deep.equal([77_000, 77_000, 77_000, 77_000]);
    // Continues with the stack of that device.
    const asDeclared = await project.summary("up", "--yes");
    expect(asDeclared, JSON.stringify(asDeclared)).to.include({ code: 0, changed: 0, unchanged: 2 });
    expect(asDeclared.calls?.[0]?.patch).to.equal(0);

    // A refresh without drift keeps the record of applied sites, so that a single change needs no canary.
    const refreshed = await project.summary("refresh");
    expect(refreshed, JSON.stringify(refreshed)).to.include({ code: 0, changed: 0, unchanged: 4 });
    project.declare(manifest("77 kWh").replace("deviceId: car-d", "deviceId: car-d, maxCapacity: 70 kWh"));
    const single = await project.summary("up", "--yes");
    expect(single, JSON.stringify(single)).to.include({ code: 0, changed: 1, unchanged: 3 });
    expect(single.waves?.map(({ wave }) => wave)).to.deep.equal(["rest"]);
    expect(changeIn(single, "vienna", "vehicle/car-d")).to.deep.include({ sent: ["maxCapacity"] });

    const unconfirmed = await project.run("destroy");
    expect(unconfirmed.code).to.equal(1);
    expectFacts(unconfirmed.text, ["destroy ", "--yes"]);
    const destroyed = await project.summary("destroy", "--yes");
    expect(destroyed, JSON.stringify(destroyed)).to.include({ code: 0, leaving: 4 });

    const anew = await project.summary("up", "--yes");
    expect(anew, JSON.stringify(anew)).to.include({ code: 0, added: 4, changed: 0, failed: 0 });
    // Each device is read once: the next wave does not read the canary's site again, because this run has created it.
    expect(anew.calls?.[0]).to.deep.include({ get: 4, patch: 0, latest: 0 });
    expect(simulator.latestReads).to.equal(0);
  });
});
