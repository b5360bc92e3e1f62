import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { FleetProject, summaryIn } from "../support/fleetProject";
import { outputOf } from "../support/project";

const NUMBERS = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, "0"));
const CARS = NUMBERS.map((number) => `car-${number}`);
/** The cars whose updates are refused: three of ten. */
const BAD = CARS.filter((_, index) => index % 10 >= 7);

function manifest(rest = ""): string {
  const sites = NUMBERS.map((number, index) => {
    const labels = index < 2 ? "labels: [pilot], " : "";
    return `  site-${number}: { ${labels}vehicles: { car: { deviceId: car-${number} } } }`;
  });
  return [
    "fleet: acme",
    "shards: 2",
    rest,
    "defaults: { vehicle: { maxCapacity: 77 kWh, maxChargePower: 11 kW, ignoreLints: [ignored-metadata] } }",
    "sites:",
    ...sites,
  ].join("\n");
}

describe("engine: a rollout that stops in time", () => {
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create(CARS, { behaviour: { latencySeconds: 0.02 } });
    project.env.SOLAR_CHARGING_MAX_CONCURRENCY = "4";
  });
  after(() => project.close());
  const changed = () => project.capacities().filter((capacity) => capacity === 77_000).length;

  it("ends a wave in which too many cars refuse, with exit code 3, and continues once they do not", async () => {
    project.declare(manifest());
    for (const deviceId of BAD) project.simulator.fail({ method: "PATCH", deviceId, status: 422, body: "no" });
    const stopped = await project.summary("up", "--yes", "--share", "0%", "--parallel", "1");
    expect(stopped, stopped.text).to.include({ code: 3 });
    expect(stopped.errors.map(({ code }) => code)).to.deep.equal(["stopped"]);
    expect(stopped.errors[0]?.text).to.match(
      /^wave rest: \d+ of \d+ devices failed, \d+ more .*; at most 5% may fail$/,
    );
    expect(stopped.waves?.map(({ wave }) => wave)).to.deep.equal(["canary", "share", "rest"]);
    expect(changed()).to.be.within(10, 35);

    // Cars that were not started in the first run are now refused once, too.
    const rest = await project.summary("up", "--yes", "--share", "0%", "--max-failures", "100%");
    expect(rest, rest.text).to.include({ code: 1, held: 0 });
    expect(stopped.failed + rest.failed).to.equal(BAD.length);
    const resumed = await project.summary("up", "--yes", "--share", "0%");
    expect(resumed, resumed.text).to.include({ code: 0, failed: 0, held: 0 });
    expect(changed()).to.equal(60);
    expect(resumed.waves?.map(({ wave }) => wave)).to.deep.equal(["rest"]);
  });

  it("goes through the waves of the manifest, and stops at one that changes while it is watched", async () => {
    project.declare(
      manifest("rollout: { waves: [{ labels: [pilot], soak: 2s }, { share: 50% }] }").replace("77 kWh", "66 kWh"),
    );
    const child = project.start("up", "--yes", "--json");
    const end = outputOf(child);
    await new Promise<void>((watching) => {
      child.stderr?.on("data", (data) => String(data).includes("watching until") && watching());
    });
    project.simulator.appUserSets("acme", "car-01", { max_capacity: 50_000 });
    const unsteady = summaryIn(await end);
    expect(unsteady, unsteady.text).to.include({ code: 3, failed: 1 });
    expect(unsteady.failures?.map(({ code, devices }) => ({ code, devices }))).to.deep.equal([
      { code: "notSteady", devices: ["acme/car-01"] },
    ]);
    const whole = await project.summary("up", "--yes");
    expect(whole, whole.text).to.include({ code: 0, failed: 0, held: 0 });
    expect(whole.waves?.map(({ wave, ok }) => [wave, ok])).to.deep.equal([
      ["1", 2],
      ["2", 30],
      ["rest", 28],
    ]);
    expect(project.capacities()).to.deep.equal(CARS.map(() => 66_000));
  });

  it("makes no more requests in a minute than it may, over all stacks", async () => {
    project.declare(manifest());
    const applied = await project.summary("up", "--yes", "--share", "100%");
    expect(applied, applied.text).to.include({ code: 0, failed: 0 });
    project.env.SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE = "1200";
    project.simulator.requests.splice(0);
    const refreshed = await project.summary("refresh");
    expect(refreshed, refreshed.text).to.include({ code: 0, unchanged: 60 });
    const times = project.simulator.requests.map(({ time }) => Date.parse(time));
    expect(times).to.have.length(60);
    // One request each 50 ms. Without a limit, they would take a tenth of this. The first one can be late on a busy
    // machine.
    expect(Math.max(...times) - Math.min(...times)).to.be.at.least((59 * 50) / 2);
  });
});

describe("engine: a fleet with names that mean something in Pulumi's YAML", () => {
  const sign = "$";
  const cars = [`${sign}{car}`, `${sign}${sign}`, "a: b"];
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create(cars);
  });
  after(() => project.close());

  it("is applied as it is declared, and previewed by plain pulumi without a change", async () => {
    const ids = ["pulumi", "a.b-c_1", "007"];
    const vehicle = (name: string) => ({ deviceId: name, maxCapacity: "77 kWh", ignoreLints: ["ignored-metadata"] });
    const sites = ids.map((id, index) => [
      id,
      { vehicles: { [cars[index] as string]: vehicle(cars[index] as string) } },
    ]);
    project.declare(JSON.stringify({ fleet: "names", shards: 1, sites: Object.fromEntries(sites) }));
    const applied = await project.summary("up", "--yes");
    expect(applied, applied.text).to.include({ code: 0, added: 3 });
    expect(
      applied.sites.flatMap(({ name, devices }) => devices.map(({ label }) => [name, label])),
    ).to.have.deep.members(ids.map((id, index) => [id, `vehicle/${cars[index]}`]));
    expect(project.capacities()).to.deep.equal([77_000, 77_000, 77_000]);
    const cwd = join(project.folder, ".solar-charging", "names", "shard-1-of-1");
    const args = ["preview", "--expect-no-changes", "--non-interactive", "--stack", "shard-1-of-1"];
    const { code, text } = await outputOf(spawn("pulumi", args, { cwd, env: project.env }));
    expect(code, text).to.equal(0);
  });
});
