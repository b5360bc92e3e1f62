import { expect } from "chai";
import { givenProject } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } } } } } as const;

describe("engine: a service that fails", () => {
  const given = givenProject(fleet, "for each");
  beforeEach(() => {
    given.project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    given.project.program(`new VehicleSettings("it", { deviceId: "car", maxCapacity: 77000, onDelete: "restore" });`);
  });

  it("keeps the true baseline when the first update was applied and its answer was lost", async () => {
    given.simulator.fail({ method: "PATCH", kind: "reset-after-apply" });
    expect(await given.project.fails("up", "--yes", "--skip-preview")).to.match(/ECONNRESET.*"pulumi up"/);
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });

    await given.project.up();
    await given.project.up("--expect-no-changes");
    await given.project.destroy();
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
  });

  it("restores the baseline, not the value before an update of unknown outcome", async () => {
    await given.project.up();
    given.project.program(`new VehicleSettings("it", { deviceId: "car", maxCapacity: 79000, onDelete: "restore" });`);
    given.simulator.fail({ method: "PATCH", kind: "reset" });
    await given.project.fails("up", "--yes", "--skip-preview");
    await given.project.destroy();
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
  });

  it("that has lost the device lets refresh and destroy go on", async () => {
    await given.project.up();
    given.simulator.remove("acme", "car");
    await given.project.destroy();
    expect(() => given.project.resource("it")).to.throw("no resource it");

    given.simulator.add("acme", "car", fleet.businesses.acme.car);
    await given.project.up();
    given.simulator.remove("acme", "car");
    const text = await given.project.refresh();
    expect(text).to.match(/- 1 deleted/);
    expect(text).to.match(/warning: .*device 'car' .*"pulumi up"/);
    expect(text).to.contain("maxCapacity was 60 kWh");
  });
});
