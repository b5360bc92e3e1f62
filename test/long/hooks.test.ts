import { expect } from "chai";
import { deploy } from "../../examples/automation";
import { givenProject, takeRequests, takeUpdates } from "../support/project";

const CAR = { max_capacity: 60_000, max_charge_power: 7200, policy: "CHARGE BY" };
const fleet = {
  businesses: { acme: { car: { type: "vehicle", settings: CAR }, roof: { type: "inverter" } } },
} as const;

describe("engine: examples/automation", () => {
  const given = givenProject(fleet, "for all");

  it("fails a deployment that leaves the site not ready, keeps its values, and passes once nothing is missing", async () => {
    const { project, simulator } = given;
    const envVars = Object.fromEntries(
      Object.entries(project.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
    );
    const options = { envVars, workDir: project.folder };
    const roof = { deviceId: "roof", peakPower: 9800, azimuth: 180, tilt: 30, cutInThreshold: 100, baseLoad: 400 };
    const site = { inverters: { roof }, vehicles: { car: { deviceId: "car", maxCapacity: 77_000 } } };
    const failure = await deploy("berlin", site, options).catch(String);
    expect(failure).to.contain("vehicle/car: maxChargePower ");
    expect(simulator.device("acme", "car")).to.include({ max_capacity: 77_000, policy: "CHARGE BY" });

    takeRequests(simulator);
    const car = { deviceId: "car", maxCapacity: 77_000, maxChargePower: 11_000 };
    const { outputs } = await deploy("berlin", { ...site, vehicles: { car } }, options);
    expect(outputs.ready?.value).to.equal(true);
    const patches = takeUpdates(simulator);
    expect(patches).to.deep.equal(['PATCH car {"max_charge_power":11000,"policy":"CHARGE BY FORECAST"}']);
  });
});
