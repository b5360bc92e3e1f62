import { readFileSync } from "node:fs";
import { expect } from "chai";
import { givenProject } from "../support/project";

const token = "canary-4f1d0b7e-token";
const fleet = {
  token,
  businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } }, bus: { type: "vehicle" } } },
} as const;

describe("engine: stored state", () => {
  const given = givenProject(fleet, "for all");
  before(async () => {
    given.project.program(`new VehicleSettings("it", {
      deviceId: "car", maxCapacity: 77000, maxChargePower: 11000, policy: "CHARGE BY FORECAST", onDelete: "restore" });
      new VehicleSettings("least", { deviceId: "bus", policy: "CHARGE BY" });`);
    await given.project.up();
  });

  it("is the token in no file of the project and its state", () => {
    const holding = given.project.files().filter((file) => readFileSync(file, "utf8").includes(token));
    expect(holding).to.deep.equal([]);
  });

  it("is less than 1.45 KB for a vehicle with everything declared, 1.25 KB for one with a single setting", () => {
    expect(JSON.stringify(given.project.resource("it")).length).to.be.lessThan(1_450);
    expect(JSON.stringify(given.project.resource("least")).length).to.be.lessThan(1_250);
  });

  it("names one place of origin, in the program", () => {
    const { sourcePosition, stackTrace } = given.project.resource("it") as unknown as Record<string, unknown>;
    expect(sourcePosition).to.match(/^project:\/\/\/index\.js#2,\d+$/);
    expect(stackTrace).to.deep.equal([{ sourcePosition }]);
  });

  it("is the provider as a constant line that names the module", () => {
    const line = `exports.handler=()=>require("pulumi-solar-charging/host").vehicle`;
    expect(given.project.resource("it").inputs.__provider).to.equal(line);
    expect(given.project.resource("it").outputs.__provider).to.equal(line);
    expect(line.length).to.be.lessThan(100);
  });

  it("is everything that the documentation names, and nothing else", () => {
    const { __provider, physicalDevice, ...outputs } = given.project.resource("it").outputs;
    expect(physicalDevice).to.match(/^[\w-]{6}$/);
    expect(outputs).to.deep.equal({
      businessId: "acme",
      deviceId: "car",
      maxCapacity: 77_000,
      maxChargePower: 11_000,
      policy: "CHARGE BY FORECAST",
      onDelete: "restore",
      settings: {
        maxCapacity: { baseline: 60_000 },
        maxChargePower: {},
        policy: { baseline: "CHARGE BY" },
      },
    });
    expect(given.project.resource("it").id).to.equal("acme/car");
  });
});
