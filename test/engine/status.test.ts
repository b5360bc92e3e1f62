import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Status } from "../../cli/status/model";
import type { DeviceView, SiteView } from "../../cli/view/model";
import { EXPORTS, simulatedCar } from "../support/charging";
import { FleetProject } from "../support/fleetProject";
import { blocksOf } from "../support/markdown";
import { outputIn } from "../support/output";
import { type EngineFolder, givenProject, takeRequests } from "../support/project";

const ROOF = "peakPower: 9.8 kWp, azimuth: S, tilt: 35, cutInThreshold: 150 W, baseLoad: 400 W";

/** The file that 'solar-charging roof --write' writes for an inverter. */
const MEASURED = {
  ...{ name: "roof-a", verdict: "differs", differs: ["azimuth"], clearDays: 41 },
  panels: { azimuth: "differs", tilt: "agrees", peakPower: "agrees" },
  declared: { azimuth: 180, tilt: 35, peakPower: 9800 },
  measured: { azimuth: { value: 158, uncertainty: 9 } },
};

async function statusOf(project: EngineFolder, ...args: string[]) {
  const { code, stdout, stderr } = await project.solarCharging("status", "--json", ...args);
  if (stdout === "") throw new Error(stderr);
  return { code, text: stdout, ...outputIn("status", stdout) };
}

function siteIn({ sites }: Status, name: string): SiteView {
  return sites.find((site) => site.name === name) as SiteView;
}

function deviceIn(status: Status, label: string): DeviceView {
  const all = [...status.sites.flatMap(({ devices }) => devices), ...status.devices];
  return all.find((device) => device.label === label) as DeviceView;
}

describe("engine: the status of a fleet", () => {
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create(["car-a"]);
    project.simulator.add("acme", "car-b", { type: "vehicle" });
    project.env.SOLAR_CHARGING_LEDGER_FILE = join(project.folder, "ledger.jsonl");
    project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    for (const id of ["roof-a", "roof-b"]) project.simulator.add("acme", id, { type: "inverter" });
  });
  after(() => project.close());

  const manifest = () => `fleet: acme
shards: 2
defaults: { vehicle: { maxChargePower: 11 kW } }
sites:
  oslo:
    vehicles: { a: { deviceId: car-a, maxCapacity: 77 kWh } }
    inverters: { roof-a: { deviceId: roof-a, ${ROOF} } }
  paris:
    vehicles: { b: { deviceId: car-b } }
    inverters: { roof-b: { deviceId: roof-b, ${ROOF} } }`;
  const fleet = ["--manifest", "fleet.yaml"];

  // One test, because each step needs the one before.
  it("shows devices that are not applied, ready, drifted, opted out and not read, and sends nothing", async () => {
    const { simulator } = project;
    const measured = join(project.folder, "measured.json");
    writeFileSync(measured, JSON.stringify({ sites: [{ name: "oslo", inverters: [MEASURED] }] }));
    simulator.behave({ showsDefaults: true });
    project.declare(manifest());
    const unapplied = await statusOf(project, ...fleet);
    expect(unapplied.counts).to.include({ sites: 2, solar: 2, ready: 0, toApply: 4 });
    expect(siteIn(unapplied, "oslo").change).to.equal("new");
    expect(unapplied.code).to.equal(2);

    expect(await project.summary("up", "--yes")).to.include({ code: 0, failed: 0, held: 0 });
    simulator.requests.length = 0;
    const applied = await statusOf(project, "--measured", measured, ...fleet);
    expect(deviceIn(applied, "inverter/roof-a").measured).to.deep.equal(MEASURED);
    expect(applied.counts).to.deep.include({ ready: 1, toApply: 0, observed: { ready: 1, notReady: 1, unknown: 0 } });
    expect(applied.rollout).to.include({ outcome: "done" });
    expect(applied.rollout?.waves.map(({ wave, ok }) => [wave, ok])).to.deep.equal([
      ["canary", 2],
      ["share", 2],
    ]);
    expect(applied.sites.map(({ name }) => name)).to.deep.equal(["paris", "oslo"]);
    const gap = { device: "vehicle/b", setting: "maxCapacity" };
    expect(siteIn(applied, "paris").gaps).to.deep.equal([{ ...gap, reason: "assumed" }]);
    expect(deviceIn(applied, "vehicle/a").updates[0]?.settings.map(({ key }) => key)).to.include("policy");
    expect(simulator.requests.map(({ method }) => method)).to.deep.equal(["GET", "GET", "GET", "GET"]);

    // Once the car itself reports its capacity, only a refresh is missing.
    simulator.appUserSets("acme", "car-b", { max_capacity: 58_000 });
    expect(await project.summary("refresh")).to.include({ code: 0 });
    expect(await project.summary("up", "--yes")).to.include({ code: 0, changed: 1 });
    const ready = await statusOf(project, ...fleet);
    expect(ready.counts).to.deep.include({ ready: 2, observed: { ready: 2, notReady: 0, unknown: 0 } });
    expect((await project.solarCharging("status", "--devices", ...fleet)).stdout).to.match(
      /58 kWh\s+\(reported\s+by\s+the\s+car\)/,
    );

    simulator.appUserSets("acme", "roof-a", { azimuth: 22.5 });
    simulator.appUserSets("acme", "car-b", { setup_complete: false, config: { opt_out: true, opt_out_until: "2027" } });
    const now = await statusOf(project, ...fleet);
    expect(siteIn(now, "oslo")).to.deep.include({
      ready: true,
      observed: { verdict: "notReady", reasons: [{ device: "inverter/roof-a", setting: "azimuth", code: "drift" }] },
    });
    const codes = siteIn(now, "paris").observed?.reasons.map(({ code }) => code);
    expect(codes).to.have.members(["optedOut", "setupIncomplete"]);
    expect(deviceIn(now, "vehicle/b").ownStatus).to.include({
      setupComplete: false,
      optedOut: true,
      optedOutUntil: "2027",
    });

    simulator.requests.length = 0;
    const offline = await statusOf(project, "--offline", ...fleet);
    expect(siteIn(offline, "oslo").observed).to.equal(undefined);
    expect(simulator.requests).to.have.length(0);
    const some = await statusOf(project, "--filter", "OSLO", ...fleet);
    expect(some.sites.map(({ name }) => name)).to.deep.equal(["oslo"]);
    expect(simulator.requests).to.have.length(2);

    simulator.fail({ method: "GET", deviceId: "car-a", status: 403, body: "no" });
    const metrics = join(project.folder, "solar.prom");
    expect((await project.solarCharging("status", "--prometheus", "--output", metrics, ...fleet)).code).to.equal(1);
    const samples = readFileSync(metrics, "utf8").split("\n");
    expect(
      samples.filter((line) => /^solar_charging_site_ready\{fleet="acme",.*site="oslo"\} 1$/.test(line)),
    ).to.have.length(1);
    expect(samples.filter((line) => /^solar_charging_device_read\{.*name="vehicle\/a"\} 0$/.test(line))).to.have.length(
      1,
    );

    const commands = blocksOf("docs/status.md").map((block) => block.text);
    await project.shell(commands.join("").trim().replaceAll(/$/gm, " || test $? = 2 # Somebody has to look."));
    expect(readFileSync(join(project.folder, "solar-charging.prom"), "utf8")).to.contain("solar_charging_site_ready");
    expect(readFileSync(join(project.folder, "report.html"), "utf8"))
      .to.match(/^<!doctype html>/)
      .and.not.contain(simulator.token);

    const [withoutParis = ""] = manifest().split("  paris:");
    project.declare(
      `${withoutParis.replace(/ +vehicles: .*\n/, "")}  rome: { vehicles: { car: { deviceId: car-b, maxCapacity: 45 kWh } } }`,
    );
    const changed = await statusOf(project, "--offline", ...fleet);
    expect(siteIn(changed, "paris").change).to.equal("leaving");
    expect(siteIn(changed, "oslo").leaving).to.deep.equal([{ device: "acme/car-a", label: "vehicle/a" }]);
    expect(siteIn(changed, "rome")).to.include({ change: "new", solar: false });
    expect(simulator.latestReads).to.equal(0);
  });
});

describe("engine: the status of a stack", () => {
  const settings = { max_capacity: 60_000, max_charge_power: 7_400 };
  const car = { type: "vehicle", settings } as const;
  const roof = { type: "inverter" } as const;
  const given = givenProject({ businesses: { acme: { car, van: car, roof } } }, "for each");
  const PROGRAM = `const pulumi = require("@pulumi/pulumi");
new SiteSettings("home", {
  vehicles: { car: { deviceId: "car", maxCapacity: pulumi.secret(77123), maxChargePower: 11000 } },
  inverters: { roof: { deviceId: "roof", peakPower: 9800, azimuth: "S", tilt: 35, cutInThreshold: 150, baseLoad: 400 } },
});
new VehicleSettings("van", { deviceId: "van", maxCapacity: 60000, ignoreLints: ["ignored-metadata"] });`;

  it("is as ready as the resource reports, shows devices outside of a site, and no secret", async () => {
    given.project.program(PROGRAM);
    await given.project.up();
    takeRequests(given.simulator);
    const status = await statusOf(given.project);
    expect(status).to.include({ of: "stack", name: "test/dev", code: 0 });
    expect(status.counts).to.deep.include({ solar: 1, ready: 1, observed: { ready: 1, notReady: 0, unknown: 0 } });
    expect(given.project.resource("home").outputs.ready).to.equal(true);
    expect(deviceIn(status, "vehicle/car")).to.deep.include({ secret: ["maxCapacity"], drift: [], toApply: [] });
    expect(status.text).to.not.contain("77123");
    expect(deviceIn(status, "vehicle/van").declared).to.deep.equal({ maxCapacity: 60_000 });
    expect(takeRequests(given.simulator)).to.have.members(["GET car", "GET roof", "GET van"]);

    // Also after a refresh has stored somebody else's value in the state.
    given.simulator.appUserSets("acme", "van", { max_capacity: 50_000 });
    for (const isKnown of [false, true]) {
      if (isKnown) await given.project.refresh();
      const drifted = deviceIn(await statusOf(given.project), "vehicle/van");
      expect(drifted).to.deep.include({ drift: ["maxCapacity"], declared: { maxCapacity: 60_000 }, toApply: [] });
    }
    const offline = deviceIn(await statusOf(given.project, "--offline", "--stack", "dev"), "vehicle/van");
    expect(offline.drift).to.deep.equal(["maxCapacity"]);

    writeFileSync(join(given.project.folder, "sessions.csv"), EXPORTS.TeslaMate(simulatedCar(21).sessions));
    const args = ["--json", "--stack", "dev", "--site", "van", "--sessions", "sessions.csv"];
    const measured = outputIn("measure", (await given.project.solarCharging("measure", ...args)).stdout);
    expect(measured.sites[0]?.vehicles?.[0]?.settings?.maxCapacity).to.include({ declared: 60_000 });
  });

  it("is read with the configuration of the stack, secrets too", async () => {
    const { project, simulator } = given;
    project.program(
      `new VehicleSettings("van", { deviceId: "van", maxCapacity: 60000, ignoreLints: ["ignored-metadata"] });`,
    );
    await project.up();
    for (const name of ["BASE_URL", "ACCESS_TOKEN"]) delete project.env[`SOLAR_CHARGING_${name}`];
    await project.succeeds("config", "set", "solar-charging:baseUrl", simulator.url);
    await project.succeeds("config", "set", "--secret", "solar-charging:accessToken", simulator.token);
    const status = await statusOf(project);
    expect(status).to.include({ code: 0, isOffline: false });
    expect(status.text).to.not.contain(simulator.token);
  });
});
