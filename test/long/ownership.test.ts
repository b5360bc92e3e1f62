import { expect } from "chai";
import { givenProject, takeRequests, takeUpdates } from "../support/project";

const fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", settings: { max_capacity: 60_000, max_charge_power: 7_400 } },
      van: { type: "vehicle", settings: { max_capacity: 50_000 } },
      roof: { type: "inverter", settings: { peak_power: 9_000, azimuth: 180 } },
    },
    other: { car: { type: "vehicle" } },
  },
} as const;

describe("engine: ownership of settings", () => {
  const given = givenProject(fleet, "for each");

  it("two resources that declare the same key of a device fail the preview, which names both", async () => {
    given.project.program(`
      new VehicleSettings("first", { deviceId: "car", maxCapacity: 77000, policy: "CHARGE BY" });
      new VehicleSettings("second", { deviceId: "car", businessId: "acme", maxCapacity: 76000 });`);
    // The engine may check either of the two resources first.
    const refused = /resource '(first|second)': property maxCapacity .*VehicleSettings '(?!\1)(first|second)'/;
    expect(await given.project.fails("preview")).to.match(refused);
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
    expect(await given.project.fails("up", "--yes", "--skip-preview")).to.match(refused);
    const sent = takeUpdates(given.simulator);
    expect(sent).to.have.lengthOf.at.most(1);
  });

  it("two resources can declare different keys of a device, and the same key of another business's device", async () => {
    given.project.program(`
      new VehicleSettings("capacity", { deviceId: "car", maxCapacity: 77000 });
      new VehicleSettings("policy", { deviceId: "car", policy: "CHARGE BY FORECAST" });
      new VehicleSettings("other", { deviceId: "car", businessId: "other", maxCapacity: 40000 });`);
    await given.project.up();
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000, policy: "CHARGE BY FORECAST" });
    expect(given.simulator.device("other", "car")).to.include({ max_capacity: 40_000 });
  });

  it("a renamed resource without an alias does not revert its device, although it would restore", async () => {
    const settings = `{ deviceId: "car", maxCapacity: 77000, onDelete: "restore" }`;
    given.project.program(`new VehicleSettings("old", ${settings});`);
    await given.project.up();
    takeRequests(given.simulator);

    given.project.program(`new VehicleSettings("new", ${settings});`);
    expect(await given.project.up()).to.match(/\+ 1 created[\s\S]*- 1 deleted/);
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
  });

  it("a device of a fleet keeps its first baseline when its site becomes solar", async () => {
    const devices = (policy: object) => ({
      vehicles: { car: { deviceId: "car", maxCapacity: "77 kWh", maxChargePower: "11 kW", ...policy } },
      inverters: {
        roof: { deviceId: "roof", peakPower: 9_800, azimuth: 180, tilt: 30, cutInThreshold: 50, baseLoad: 300 },
      },
    });
    const declare = (site: object) => {
      const restored = { onDelete: "restore" };
      const defaults = { vehicle: restored, inverter: restored };
      const manifest = { fleet: "acme", defaults, sites: { berlin: site } };
      given.project.program(`new FleetSettings("acme", { manifest: ${JSON.stringify(manifest)} });`);
      takeRequests(given.simulator);
    };
    declare({ solar: false, ...devices({ policy: "CHARGE BY" }) });
    await given.project.up();

    declare(devices({}));
    expect(await given.project.up()).to.match(/~ 1 updated/);
    expect(takeRequests(given.simulator)).to.deep.equal([`PATCH car {"policy":"CHARGE BY FORECAST"}`, "GET car"]);

    await given.project.destroy();
    expect(given.simulator.device("acme", "car")).to.include({
      max_capacity: 60_000,
      max_charge_power: 7_400,
      policy: "CHARGE BY",
    });
    expect(given.simulator.device("acme", "roof")).to.include({ peak_power: 9_000 });
  });

  it("a resource that is replaced for another device releases the old one according to onDelete", async () => {
    given.project.program(`new VehicleSettings("it", { deviceId: "car", maxCapacity: 77000, onDelete: "restore" });`);
    await given.project.up();
    given.project.program(`new VehicleSettings("it", { deviceId: "van", maxCapacity: 77000, onDelete: "restore" });`);
    expect(await given.project.up()).to.match(/1 replaced/);
    expect(given.simulator.device("acme", "van")).to.include({ max_capacity: 77_000 });
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
  });

  it("restore does not overwrite a value that an app user set and the program then ignores", async () => {
    const program = (power: number) =>
      given.project.program(`new VehicleSettings("it",
        { deviceId: "car", maxCapacity: 77000, maxChargePower: ${power}, onDelete: "restore" }, { ignoreChanges: ["maxCapacity"] });`);
    program(11_000);
    await given.project.up();
    given.simulator.appUserSets("acme", "car", { max_capacity: 75_000 });
    await given.project.refresh();
    program(10_000);
    await given.project.up();
    await given.project.destroy();
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 75_000, max_charge_power: 7_400 });
  });

  it("get reads a device without owning it, and shows everything that is reported", async () => {
    given.project.program(`
      const car = VehicleSettings.get("car", "acme/car");
      exports.shown = [car.maxCapacity, car.maxChargePower, car.policy];`);
    await given.project.up();
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
    expect(given.project.outputs()).to.deep.equal({
      shown: [60_000, 7_400, "CHARGE BY"],
    });
    given.simulator.appUserSets("acme", "car", { max_capacity: 50_000 });
    await given.project.refresh();
    expect(given.project.resource("car").outputs)
      .to.include({ maxCapacity: 50_000 })
      .and.not.to.have.property("settings");
    takeRequests(given.simulator);
    await given.project.destroy();
    expect(takeRequests(given.simulator)).to.deep.equal([]);
  });
});
