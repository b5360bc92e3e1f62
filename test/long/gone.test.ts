import { expect } from "chai";
import { FleetProject } from "../support/fleetProject";
import { givenProject } from "../support/project";

const cars = ["car-a", "car-b", "car-c", "car-d"];
const settings = { max_capacity: 60_000 };
const acme = Object.fromEntries(cars.map((id) => [id, { type: "vehicle", settings }] as const));

describe("engine: an address at which no device is known", () => {
  const given = givenProject({ businesses: { acme } }, "for all");

  it("empties no stack by a refresh or a destroy, unless that is allowed", async () => {
    const { project, simulator } = given;
    const declared = cars.map(
      (id) => `new VehicleSettings("${id}", { deviceId: "${id}", maxCapacity: 77000, onDelete: "restore" });`,
    );
    project.program(declared.join("\n"));
    await project.up();
    const before = cars.map((id) => project.resource(id).outputs);
    const wrong = { SOLAR_CHARGING_BASE_URL: `${simulator.url}/staging` };
    for (const operation of ["refresh", "destroy"]) {
      const { code, text } = await project.pulumi([operation, "--yes", "--skip-preview"], wrong);
      expect(code, text).not.to.equal(0);
      expect(text).to.contain(`${simulator.url}/staging/api/v1/businesses/acme`);
      expect(cars.map((id) => project.resource(id).outputs)).to.deep.equal(before);
    }
    await project.refresh("--expect-no-changes");

    simulator.remove("acme", "car-a");
    await project.refresh();
    expect(() => project.resource("car-a")).to.throw("no resource car-a");

    const allowed = { ...wrong, SOLAR_CHARGING_ALLOW_GONE: "true" };
    const { code, text } = await project.pulumi(["destroy", "--yes", "--skip-preview"], allowed);
    expect(code, text).to.equal(0);
    for (const id of cars.slice(1)) {
      expect(text).to.match(new RegExp(`device '${id}'.*maxCapacity was 60 kWh`));
    }
  });
});

describe("engine: a fleet behind an address at which no device is known", () => {
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create(cars);
  });
  after(() => project.close());

  it("is emptied neither by a refresh, a destroy nor a removal, unless a variable says so", async () => {
    const car = (id: string) => `${id}: { deviceId: ${id} }`;
    const manifest = (sites: readonly (readonly string[])[]) =>
      [
        "{ fleet: acme, shards: 1, defaults: { vehicle: { maxCapacity: 77 kWh, onDelete: restore } }, sites: {",
        ...sites.map((ids, index) => `site-${index}: { solar: false, vehicles: { ${ids.map(car).join(", ")} } },`),
        "} }",
      ].join("\n");
    project.declare(manifest([cars.slice(0, 2), cars.slice(2)]));
    const up = await project.summary("up", "--yes");
    expect(up, up.text).to.include({ code: 0, added: 4 });

    const right = project.env.SOLAR_CHARGING_BASE_URL;
    project.env.SOLAR_CHARGING_BASE_URL = `${right}/staging`;
    for (const [operation, ...args] of [["refresh"], ["destroy", "--yes"]] as const) {
      const stopped = await project.summary(operation, ...args);
      expect(stopped, stopped.text).to.include({ code: 1, leaving: 0 });
      expect(stopped.text).to.contain(`${right}/staging/api/v1/businesses/acme`);
    }
    project.declare(manifest([cars.slice(0, 2)]));
    const removal = await project.summary("up", "--yes", "--no-refresh");
    expect(removal, removal.text).to.include({ code: 1, leaving: 0 });

    project.declare(manifest([cars.slice(0, 2), cars.slice(2)]));
    project.env.SOLAR_CHARGING_BASE_URL = right;
    const drift = await project.summary("drift");
    expect(drift, drift.text).to.include({ code: 0, unchanged: 4 });

    project.env.SOLAR_CHARGING_BASE_URL = `${right}/staging`;
    project.env.SOLAR_CHARGING_ALLOW_GONE = "true";
    const allowed = await project.summary("destroy", "--yes");
    expect(allowed, allowed.text).to.include({ code: 0, leaving: 4 });
    const baselines = cars.map((id) => allowed.notes?.find((note) => note.includes(`acme/${id}`)));
    for (const baseline of baselines) expect(baseline).to.match(/maxCapacity was 60 kWh/);
  });
});
