import { readFileSync } from "node:fs";
import { expect } from "chai";
import { searchFor } from "../support/canaries";
import { givenProject } from "../support/project";

const token = `cn/+=~%22"\\&<'Z3m8KpR5uW2vJ7tX9cL4qN6b/end`;
const fleet = { token, businesses: { acme: { car: { type: "vehicle" } } } } as const;

describe("engine: an access token of the stack's configuration", () => {
  const given = givenProject(fleet, "for all");

  it("stands in clear in no file, no output and no export", async () => {
    const { project } = given;
    delete project.env.SOLAR_CHARGING_ACCESS_TOKEN;
    await project.succeeds("config", "set", "--secret", "solar-charging:accessToken", token);
    project.program(`new VehicleSettings("it", { deviceId: "car", maxCapacity: 77000 });`);
    const printed: string[] = [];
    for (const args of [
      ["preview", "--json"],
      ["up", "--yes", "--skip-preview", "--json"],
      ["stack", "export"],
      ["stack", "history", "--json"],
      ["refresh", "--yes", "--skip-preview"],
    ]) {
      printed.push(await project.succeeds(...args));
    }
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });

    const outputs = printed.map((text) => ["output", Buffer.from(text)] as const);
    const files = project.files().map((file) => [file, readFileSync(file)] as const);
    expect(searchFor({ "access token": token }, [...outputs, ...files]).found).to.deep.equal([]);
  });
});
