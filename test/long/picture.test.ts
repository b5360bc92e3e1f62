import { readFileSync } from "node:fs";
import { expect } from "chai";
import { startSimulator } from "solar-charging-simulator";
import { readinessOf, removedWords } from "../../cli/review/change";
import type { Status } from "../../cli/status/model";
import type { DeviceChange } from "../../cli/view/model";
import { FleetProject, type Summary } from "../support/fleetProject";
import { BUSINESS, driftedIn, driftIn, json, reported, SITES } from "../support/picture";
import { EACH_DOOR, Project, takeUpdates } from "../support/project";

describe("engine: one picture of a program's sites", () => {
  /** A secret capacity and the value before it, with or without separators, in Wh and in kWh. */
  const SECRET = /[57]1[.,\u202f]?234/;

  const program = (sites: readonly string[]) => `const { secret } = require("@pulumi/pulumi");
for (const site of ${JSON.stringify(sites)})
  new SiteSettings(site, {
    businessId: "${BUSINESS}", latitude: 50,
    vehicles: { car: { deviceId: \`car-\${site}\`, maxChargePower: 11000, maxCapacity: site === "berlin" ? secret(71234) : 77000 } },
    inverters: { roof: { deviceId: \`roof-\${site}\`, peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 } },
  });`;

  for (const door of EACH_DOOR) {
    it(`has the same numbers in review, status and report, and shows a secret capacity in no command (${door})`, async () => {
      const simulator = await startSimulator({ fleet: { businesses: { acme: {} } } });
      const project = await Project.create(simulator);
      try {
        project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
        for (const site of SITES) {
          simulator.add(BUSINESS, `car-${site}`, {
            type: "vehicle",
            settings: { max_capacity: site === "berlin" ? 51_234 : 60_000 },
          });
          simulator.add(BUSINESS, `roof-${site}`, { type: "inverter" });
        }
        project.program(program(SITES), door);
        simulator.fail({ method: "PATCH", deviceId: "car-oslo", status: 422, body: "no", times: 1 });
        await project.fails("up", "--yes", "--skip-preview");
        simulator.appUserSets(BUSINESS, "roof-paris", { azimuth: 22.5 });
        project.program(program(SITES.filter((site) => site !== "rome")), door);
        await project.shell("pulumi preview --json --refresh > preview.json");

        const status = await json(project, "status");
        expect(status.counts).to.deep.include({ sites: 4, solar: 4, ready: 3, drifted: 1, devices: 8 });
        const review = await json(project, "review", "preview.json");
        expect(driftIn(review)).to.deep.equal(driftedIn(status));
        expect(review.sites.filter((site) => readinessOf(site).before)).to.have.lengthOf(status.counts.ready);
        expect(review.sites.flatMap((site) => removedWords(site) ?? [])).to.deep.equal(["removed (was ready)"]);
        const page = await reported(project);
        expect({ ...page, time: "" }).to.deep.equal({ ...status, time: "" });

        await project.shell("pulumi stack init other && pulumi preview --stack other --json > create.json");
        for (const args of [
          ...["--json", "--devices", "--prometheus"].map((option) => ["status", option]),
          ...["--json", "--markdown", "--name=it"].map((option) => ["review", "preview.json", option]),
          ["sun", "--preview", "preview.json", "--site", "berlin", "--json"],
          ["adopt", "--preview", "create.json", "--import-file", "import.json"],
        ]) {
          const { stdout, stderr } = await project.solarCharging(...args);
          expect(`${stdout}${stderr}`, args.join(" "))
            .to.match(/berlin|paris/)
            .and.not.match(SECRET);
        }
        expect(JSON.stringify(page)).to.not.match(SECRET);
        expect(readFileSync(project.path("import.json"), "utf8"))
          .to.contain("car-berlin")
          .and.not.match(/71.?234/);
      } finally {
        project.remove();
        await simulator.close();
      }
    });
  }
});

describe("engine: one picture of a fleet in two shards", () => {
  let fleet: FleetProject;
  before(async () => {
    fleet = await FleetProject.create([]);
    fleet.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    fleet.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    const settings = { max_capacity: 60_000, max_charge_power: 7_400 };
    for (const id of ["berlin", "oslo", "paris", "rome", "bus"])
      fleet.simulator.add("acme", id, { type: "vehicle", settings });
    const roof = { peak_power: 5_000, azimuth: 180, tilt: 10, cut_in_threshold: 20, base_load: 100 };
    for (const id of ["berlin-roof", "paris-roof"])
      fleet.simulator.add("acme", id, { type: "inverter", settings: roof });
  });
  after(() => fleet.close());

  const devicesThat = ({ sites }: Pick<Summary, "sites">, ended: DeviceChange["kind"]) =>
    sites.flatMap(({ name, devices, drift }) =>
      [...devices, ...drift].flatMap(({ kind, label }) => (kind === ended ? `${name}/${label}` : [])),
    );
  const keptIn = ({ sites }: Status) =>
    sites.flatMap(({ name, devices }) => devices.flatMap(({ label, kept }) => kept.map((key) => [name, label, key])));

  const CAR = "maxCapacity: 77 kWh, maxChargePower: 11 kW";
  const ROOF = "peakPower: 9.8 kWp, azimuth: S, tilt: 35, cutInThreshold: 150 W, baseLoad: 400 W";
  const declare = (changed: { readonly ofParis: string; readonly bus?: string }) =>
    fleet.declare(`fleet: acme
businessId: acme
shards: 2
defaults: { vehicle: { onDelete: restore, ignoreLints: [ignored-metadata] } }
sites:
  berlin:
    latitude: 50
    vehicles: { car: { deviceId: berlin, onDrift: keep, ${CAR} } }
    inverters: { roof: { deviceId: berlin-roof, ${ROOF} } }
  oslo: { vehicles: { car: { deviceId: oslo, ${CAR} }${changed.bus ?? ""} } }
  paris:
    latitude: 50
    vehicles: { ${changed.ofParis}: { deviceId: paris, ${CAR} } }
    inverters: { roof: { deviceId: paris-roof, observe: true } }
  rome: { vehicles: { car: { deviceId: rome, policy: CHARGE BY FORECAST, ${CAR} } } }
`);

  it("says the same of a kept, an observed, a renamed, a removed, a failed, and a car with its own policy", async () => {
    const { simulator } = fleet;
    declare({ ofParis: "car", bus: `, bus: { deviceId: bus, ${CAR} }` });
    simulator.fail({ method: "PATCH", deviceId: "oslo", status: 422, body: "no", times: 1 });
    const first = await fleet.summary("up", "--yes", "--max-failures", "100%");
    expect(devicesThat(first, "failed")).to.deep.equal(["oslo/vehicle/car"]);
    simulator.appUserSets("acme", "berlin", { max_capacity: 70_000 });
    simulator.appUserSets("acme", "paris-roof", { azimuth: 90 });
    simulator.appUserSets("acme", "rome", { policy: "CHARGE BY" });
    declare({ ofParis: "van" });

    const status = await json(fleet, "status", "--manifest", "fleet.yaml");
    const page = await reported(fleet, "--manifest", "fleet.yaml");
    expect({ ...page, time: "" }).to.deep.equal({ ...status, time: "" });
    expect(driftedIn(status)).to.deep.equal([["rome", "vehicle/car"]]);
    expect(keptIn(status)).to.deep.equal([["berlin", "vehicle/car", "maxCapacity"]]);

    const drift = await fleet.summary("drift");
    fleet.write("drift.json", drift.stdout);
    const ofDrift = await json(fleet, "review", "drift.json");
    expect(devicesThat(drift, "changed")).to.deep.equal(["rome/vehicle/car"]);
    expect(driftIn(ofDrift)).to.deep.equal(driftedIn(status));
    for (const { name, observed } of status.sites) {
      const site = ofDrift.sites.find((one) => one.name === name);
      expect([name, site?.after?.observed]).to.deep.equal([name, observed]);
    }

    const preview = await fleet.summary("preview");
    fleet.write("preview.json", preview.stdout);
    const options = ["--approve", "approved.json"];
    const { approval, sites } = await json(fleet, "review", "preview.json", ...options);
    expect(devicesThat(preview, "new")).to.deep.equal(["oslo/vehicle/car"]);
    expect(devicesThat(preview, "changed")).to.deep.equal(["paris/vehicle/van"]);
    expect(devicesThat(preview, "leaves")).to.deep.equal(["oslo/vehicle/bus"]);
    expect(sites.flatMap(({ name, devices }) => devices.map(({ label }) => `${name}/${label}`))).to.have.members([
      ...["oslo/vehicle/car", "oslo/vehicle/bus"],
      "paris/vehicle/van",
    ]);
    expect(approval).to.include({ devices: 2, values: 4, repair: false });
    expect((await json(fleet, "sun", "--preview", "preview.json")).sites).to.deep.equal([]);

    fleet.env.SOLAR_CHARGING_APPROVED = `approved.json#${approval?.digest}`;
    takeUpdates(simulator);
    expect(await fleet.summary("up", "--yes")).to.include({ added: 1, changed: 1, leaving: 1, failed: 0 });
    expect(takeUpdates(simulator)).to.have.members([
      'PATCH oslo {"max_capacity":77000,"max_charge_power":11000}',
      'PATCH bus {"max_capacity":60000,"max_charge_power":7400}',
    ]);
    const after = await json(fleet, "status", "--manifest", "fleet.yaml");
    expect(after.counts).to.include({ toApply: 0, drifted: 1, ready: 2 });
    expect(keptIn(after)).to.deep.equal(keptIn(status));
  });
});
