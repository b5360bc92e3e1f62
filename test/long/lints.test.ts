import { expect } from "chai";
import { givenProject, takeRequests } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle" }, roof: { type: "inverter" } } } } as const;

describe("engine: what looks wrong", () => {
  const given = givenProject(fleet, "for all");
  before(() => {
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
  });
  const car = (more: string) =>
    given.project.program(`new VehicleSettings("car",
      { deviceId: "car", maxCapacity: kWh(77), maxChargePower: kW(150), policy: "CHARGE BY FORECAST", ${more} });`);

  it("is a warning on the resource, in preview and update, until it is switched off", async () => {
    const warning =
      /VehicleSettings \(car\):\n\s*warning: .*maxChargePower 150000 W is above 22000 W.*\(switch off with ignoreLints: \["direct-current-power"\]\)/;
    car("");
    expect(await given.project.succeeds("preview")).to.match(warning);
    expect(await given.project.up()).to.match(warning);
    expect(given.simulator.device("acme", "car")).to.include({ max_charge_power: 150_000 });

    car(`ignoreLints: ["direct-current-power", "power-for-capacity", "forecast-without-inverter"]`);
    expect(await given.project.succeeds("preview", "--expect-no-changes")).to.not.contain("warning:");
  });

  it("shows no value of a secret", async () => {
    given.project.program(`const { secret } = require("@pulumi/pulumi");
      new VehicleSettings("car", { deviceId: "car", maxChargePower: secret(151_234), maxCapacity: kWh(77),
      policy: "CHARGE BY FORECAST" });`);
    const text = await given.project.succeeds("preview");
    expect(text)
      .to.match(/maxChargePower looks wrong.*\["direct-current-power"\]/)
      .and.not.contain("151234");
    given.project.program(`const { secret } = require("@pulumi/pulumi");
      new SiteSettings("home", { vehicles: { car: { deviceId: "car", maxCapacity: secret(999_111) } } });`);
    expect(await given.project.fails("preview"))
      .to.contain("maxCapacity is not accepted")
      .and.not.contain("999111");
  });

  it("can be switched off by names that exist only", async () => {
    car(`ignoreLints: ["direct-curent-power"]`);
    expect(await given.project.fails("preview")).to.match(/property ignoreLints .*did you mean direct-current-power\?/);
  });
});

describe("engine: an azimuth", () => {
  const given = givenProject(fleet, "for all");
  before(() => {
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
  });
  const roof = (azimuth: string) =>
    given.project.program(`new InverterSettings("roof", {
      deviceId: "roof", latitude: 51, peakPower: kW(9.8), azimuth: ${azimuth}, tilt: 35, cutInThreshold: 150, baseLoad: 400 });`);

  it("is shown, sent and stored as the compass bearing, in whatever form it is given", async () => {
    roof(`"SSW"`);
    expect(await given.project.succeeds("preview", "--diff")).to.match(/azimuth\s*: 202\.5\n/);
    await given.project.up();
    expect(given.simulator.device("acme", "roof")).to.include({ azimuth: 202.5 });
    const { inputs, outputs } = given.project.resource("roof");
    expect(inputs).to.include({ azimuth: 202.5 }).and.to.not.have.property("latitude");
    expect(outputs).to.include({ azimuth: 202.5 });
    takeRequests(given.simulator);

    roof(`{ degrees: 22.5, convention: "south-zero" }`);
    await given.project.succeeds("preview", "--expect-no-changes");
    roof(`{ degrees: 90, convention: "solcast" }`);
    expect(await given.project.up("--diff")).to.match(/azimuth\s*: 202\.5 => 270\n/);
    expect(takeRequests(given.simulator)).to.deep.equal([`PATCH roof {"azimuth":270}`, "GET roof"]);
  });

  it("that faces away from the sun of its latitude is a warning on the resource", async () => {
    roof(`"N"`);
    expect(await given.project.succeeds("preview")).to.match(
      /InverterSettings \(roof\):\n\s*warning: .*azimuth 0 degrees faces 180 degrees away from south/,
    );
  });
});
