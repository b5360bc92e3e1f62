import { expect } from "chai";
import { givenProject, takeRequests } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } } } } } as const;

describe("engine: a service that fails", () => {
  const given = givenProject(fleet, "for each");
  beforeEach(() => {
    given.project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    given.project.program(`new VehicleSettings("it", { deviceId: "car", maxCapacity: 77000, onDelete: "restore" });`);
  });

  it("keeps the true baseline when the first update was applied and its answer was lost", async () => {
    given.simulator.fail({ method: "PATCH", kind: "reset-after-apply" });
    expect(await given.project.fails("up", "--yes", "--skip-preview")).to.match(/The update may have been applied/);
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });

    await given.project.up();
    await given.project.up("--expect-no-changes");
    await given.project.destroy();
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
  });

  it("restores the baseline over what stood before an update of unknown outcome", async () => {
    await given.project.up();
    given.project.program(`new VehicleSettings("it", { deviceId: "car", maxCapacity: 79000, onDelete: "restore" });`);
    given.simulator.fail({ method: "PATCH", kind: "reset" });
    await given.project.fails("up", "--yes", "--skip-preview");
    await given.project.destroy();
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
  });

  it("has nothing in state when it refuses the first update", async () => {
    given.simulator.fail({ method: "PATCH", status: 403, body: "no" });
    expect(await given.project.fails("up", "--yes", "--skip-preview")).to.match(/HTTP 403 .*may manage this business/);
    expect(() => given.project.resource("it")).to.throw("no resource it");
  });

  it("does not fail the update when the cache stays behind, and says so", async () => {
    given.project.env.SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS = "0";
    given.simulator.behave({ cacheLagReads: 1 });
    expect(await given.project.up()).to.match(
      /warning: device 'car' of business 'acme': maxCapacity was accepted as 77000/,
    );
    expect(given.project.resource("it").outputs.verification).to.deep.equal({ maxCapacity: "pending" });
    await given.project.refresh("--expect-no-changes");
    expect(given.project.resource("it").outputs.verification).to.deep.equal({ maxCapacity: "verified" });
  });

  it("that does not report a setting has it sent once, and never sees drift in it", async () => {
    given.simulator.behave({ reports: "nowhere" });
    await given.project.up();
    expect(given.project.resource("it").outputs.verification).to.deep.equal({ maxCapacity: "notReported" });
    takeRequests(given.simulator);
    await given.project.refresh("--expect-no-changes");
    await given.project.up("--expect-no-changes");
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
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
    expect(text).to.match(/warning: the service no longer knows device 'car' /);
    expect(text).to.contain('Before it was managed: {"maxCapacity":60000}');
  });

  it("keeps the resource when a refresh cannot reach it", async () => {
    await given.project.up();
    given.simulator.fail({ method: "GET", status: 500, times: 9 });
    expect(await given.project.fails("refresh", "--yes", "--skip-preview")).to.match(
      /cannot read device 'car' .*HTTP 500/,
    );
    expect(given.project.resource("it").outputs).to.include({ maxCapacity: 77_000 });
  });
});
