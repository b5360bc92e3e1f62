import { LocalWorkspace } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import { VehicleSettings } from "../../provider";
import { givenProject, takeRequests } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } } } } } as const;

describe("engine: the Automation API", () => {
  const given = givenProject(fleet, "for all");

  it("applies, keeps, refreshes and restores a program of the same process, several times", async () => {
    const program = async () => {
      const car = new VehicleSettings("car", { deviceId: "car", maxCapacity: 77_000, onDelete: "restore" });
      return { settings: car.settings };
    };
    const envVars = Object.fromEntries(
      Object.entries(given.project.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
    );
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName: "inline", projectName: "test", program },
      { envVars, workDir: given.project.folder },
    );

    const first = await stack.up();
    expect(first.outputs.settings?.value).to.deep.include({ maxCapacity: { baseline: 60_000 } });
    takeRequests(given.simulator);

    // The same program again in the same process: its first run does not count as another owner.
    const second = await stack.up();
    expect(second.summary.resourceChanges).to.deep.equal({ same: 2 });
    expect(takeRequests(given.simulator)).to.deep.equal([]);

    const refresh = await stack.refresh();
    expect(refresh.summary.resourceChanges).to.deep.equal({ same: 2 });

    await stack.destroy();
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
  });
});
