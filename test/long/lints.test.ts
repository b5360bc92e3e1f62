import { expect } from "chai";
import { givenProject, takeRequests } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle" }, roof: { type: "inverter" } } } } as const;

describe("engine: values that may be wrong", () => {
  const given = givenProject(fleet, "for all");
  before(() => {
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
  });
  const car = (more: string) =>
    given.project.program(`new VehicleSettings("car",
      { deviceId: "car", maxCapacity: kWh(77), maxChargePower: kW(150), policy: "CHARGE BY FORECAST", ${more} });`);

  it("is a warning on the resource, in preview and update, until it is switched off", async () => {
    const warning =
      /VehicleSettings \(car\):\n\s*warning: .*maxChargePower 150 kW .* 22 kW.*ignoreLints: \["direct-current-power"\]/;
    car("");
    expect(await given.project.succeeds("preview")).to.match(warning);
    expect(await given.project.up()).to.match(warning);
    expect(given.simulator.device("acme", "car")).to.include({ max_charge_power: 150_000 });

    car(`ignoreLints: ["direct-current-power", "power-for-capacity", "forecast-without-inverter"]`);
    takeRequests(given.simulator);
    expect(await given.project.up()).to.not.contain("warning:");
    expect(takeRequests(given.simulator)).to.deep.equal([]);
    await given.project.succeeds("preview", "--expect-no-changes");
  });

  it("shows no value of a secret", async () => {
    given.project.program(`const { secret } = require("@pulumi/pulumi");
      new VehicleSettings("car", { deviceId: "car", maxChargePower: secret(151_234), maxCapacity: kWh(77),
      policy: "CHARGE BY FORECAST" });`);
    const text = await given.project.succeeds("preview");
    expect(text)
      .to.match(/maxChargePower.*\["direct-current-power"\]/)
      .and.not.contain("151234");
    given.project.program(`const { secret } = require("@pulumi/pulumi");
      new SiteSettings("home", { vehicles: { car: { deviceId: "car", maxCapacity: secret(999_111) } } });`);
    expect(await given.project.fails("preview"))
      .to.match(/error: .*maxCapacity /)
      .and.not.contain("999111");
  });
});
