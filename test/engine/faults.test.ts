import { expect } from "chai";
import { type Simulator, startSimulator } from "../../simulator";
import { Project, takeRequests } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } } } } } as const;

describe("engine: a service that fails", () => {
  let simulator: Simulator;
  let project: Project;

  beforeEach(async () => {
    simulator = await startSimulator({ fleet });
    project = await Project.create(simulator);
    project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    project.program(`new VehicleSettings("it", { deviceId: "car", maxCapacity: 77000, onDelete: "restore" });`);
  });
  afterEach(async () => {
    project?.remove();
    await simulator?.close();
  });

  it("keeps the true baseline when the first update was applied and its answer was lost", async () => {
    simulator.fail({ method: "PATCH", kind: "reset-after-apply" });
    expect(await project.fails("up", "--yes", "--skip-preview")).to.match(/The update may have been applied/);
    expect(simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });

    await project.up();
    await project.up("--expect-no-changes");
    await project.destroy();
    expect(simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
  });

  it("has nothing in state when it refuses the first update", async () => {
    simulator.fail({ method: "PATCH", status: 403, body: "no" });
    expect(await project.fails("up", "--yes", "--skip-preview")).to.match(/HTTP 403 .*may manage this business/);
    expect(() => project.resource("it")).to.throw("no resource it");
  });

  it("does not fail the update when the cache stays behind, and says so", async () => {
    project.env.SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS = "0";
    simulator.behave({ cacheLagReads: 1 });
    expect(await project.up()).to.match(/warning: device 'car' of business 'acme': maxCapacity was accepted as 77000/);
    expect(project.resource("it").outputs.verification).to.deep.equal({ maxCapacity: "pending" });
    await project.refresh("--expect-no-changes");
    expect(project.resource("it").outputs.verification).to.deep.equal({ maxCapacity: "verified" });
  });

  it("that does not report a setting has it sent once, and never sees drift in it", async () => {
    simulator.behave({ reports: "nowhere" });
    await project.up();
    expect(project.resource("it").outputs.verification).to.deep.equal({ maxCapacity: "notReported" });
    takeRequests(simulator);
    await project.refresh("--expect-no-changes");
    await project.up("--expect-no-changes");
    expect(takeRequests(simulator)).to.deep.equal(["GET car"]);
  });

  it("that has lost the device lets refresh and destroy go on", async () => {
    await project.up();
    simulator.remove("acme", "car");
    await project.succeeds("destroy", "--yes", "--skip-preview");
    expect(() => project.resource("it")).to.throw("no resource it");

    simulator.add("acme", "car", { type: "vehicle" });
    await project.up();
    simulator.remove("acme", "car");
    expect(await project.refresh()).to.match(/- 1 deleted/);
  });

  it("keeps the resource when a refresh cannot reach it", async () => {
    await project.up();
    simulator.fail({ method: "GET", status: 500, times: 9 });
    expect(await project.fails("refresh", "--yes", "--skip-preview")).to.match(/cannot read device 'car' .*HTTP 500/);
    expect(project.resource("it").outputs).to.include({ maxCapacity: 77_000 });
  });
});
