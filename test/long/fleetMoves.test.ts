import { expect } from "chai";
import { changeIn, FleetProject } from "../support/fleetProject";

const cars = ["car-a", "car-b", "car-c", "car-d"];

describe("engine: a car that moves to another stack", () => {
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create(cars);
  });
  after(() => project.close());

  it("keeps its declared values, also if the stack that it leaves runs last", async () => {
    const sites = (oslo: string, paris: string) => `fleet: moving
shards: 2
defaults: { vehicle: { maxCapacity: 77 kWh, onDelete: restore, ignoreLints: [ignored-metadata] } }
sites:
  oslo: { vehicles: { ${oslo} } }
  paris: { vehicles: { ${paris} } }`;
    const car = "a: { deviceId: car-a }";
    const others = "b: { deviceId: car-b }, c: { deviceId: car-c }";
    project.declare(sites("d: { deviceId: car-d }", `${others}, ${car}`));
    expect(await project.summary("up", "--yes")).to.include({ code: 0, added: 4 });

    // The canary's stack is done first, so the car leaves the last stack.
    project.declare(sites(`d: { deviceId: car-d }, ${car}`, others));
    const moved = await project.summary("up", "--yes", "--parallel", "1");
    expect(moved, JSON.stringify(moved)).to.include({ code: 0, failed: 0 });
    expect(moved.leaving).to.equal(0);
    expect(project.capacities()).to.deep.equal([77_000, 77_000, 77_000, 77_000]);

    expect(await project.summary("destroy", "--yes")).to.include({ code: 0, failed: 0 });
    expect(project.capacities()[2]).to.equal(60_000);
  });

  it("leaves the canary's site in the canary's wave", async () => {
    project.simulator.add("acme", "roof", { type: "inverter", settings: {} });
    const roof =
      "roof: { deviceId: roof, peakPower: 9 kWp, azimuth: S, tilt: 30, cutInThreshold: 50 W, baseLoad: 300 W }";
    const retiring = (...ids: string[]) => `fleet: retiring
shards: 1
defaults: { vehicle: { maxCapacity: 77 kWh, maxChargePower: 11 kW } }
sites:
  oslo: { inverters: { ${roof} }, vehicles: { ${ids.map((id) => `${id}: { deviceId: ${id} }`).join(", ")} } }
  paris: { vehicles: { car: { deviceId: car-d, ignoreLints: [ignored-metadata] } } }`;
    project.declare(retiring("car-a", "car-b"));
    expect(await project.summary("up", "--yes")).to.include({ code: 0, added: 4 });

    project.declare(retiring("car-a"));
    const retired = await project.summary("up", "--gate", "false");
    expect(retired, JSON.stringify(retired)).to.include({
      code: 3,
      leaving: 1,
    });
    expect(retired.errors.map(({ code }) => code)).to.deep.equal(["stopped"]);
    expect(changeIn(retired, "oslo", "vehicle/car-b")).to.include({ kind: "leaves", onDelete: "retain" });
  });
});
