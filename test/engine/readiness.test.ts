import { expect } from "chai";
import { givenProject, takeRequests } from "../support/project";

const fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", settings: { max_capacity: 60_000, max_charge_power: 11_000 } },
      van: { type: "vehicle" },
      bus: { type: "vehicle" },
      roof: { type: "inverter" },
      barn: { type: "inverter", settings: { peak_power: 5_000, azimuth: 90, tilt: 10, cut_in_threshold: 20 } },
    },
  },
} as const;

const ROOF = `{ deviceId: "roof", peakPower: kW(9.8), azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 }`;
const EXPORTS = "Object.assign(exports, { ready: site.ready, missing: site.missing, unverified: site.unverified });";

describe("engine: a site", () => {
  const given = givenProject(fleet, "for each");
  beforeEach(() => {
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
  });
  const outputs = async () => JSON.parse(await given.project.succeeds("stack", "output", "--json"));

  it("that is not ready says so in the preview, with the reasons, and becomes ready when they are gone", async () => {
    const program = (capacity: string) =>
      given.project.program(`
        const site = new SolarReadiness("home", {
          vehicles: { car: { deviceId: "car", ${capacity} maxChargePower: kW(11) } }, inverters: { roof: ${ROOF} } });
        ${EXPORTS}`);
    program("");
    const preview = await given.project.succeeds("preview");
    expect(preview).to.match(
      /SolarReadiness \(home\):\n\s*warning: site 'home' is not ready for solar-aware charging: vehicle\/car: maxCapacity not declared\n/,
    );
    expect(preview).to.match(
      /missing\s*: \[\n\s*\[0\]: "vehicle\/car: maxCapacity not declared"\n\s*\]\n\s*ready\s*: false/,
    );
    expect(takeRequests(given.simulator)).to.deep.equal([]);

    await given.project.up();
    expect(takeRequests(given.simulator).filter((request) => request.includes("policy"))).to.deep.equal([]);
    expect(await outputs()).to.deep.equal({
      ready: false,
      missing: ["vehicle/car: maxCapacity not declared"],
      unverified: [],
    });

    program("maxCapacity: kWh(77),");
    expect(await given.project.succeeds("preview")).to.match(/ready\s*: false => true/);
    await given.project.up();
    expect(await outputs()).to.deep.equal({ ready: true, missing: [], unverified: [] });
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000, policy: "CHARGE BY FORECAST" });
    await given.project.succeeds("preview", "--expect-no-changes");
  });

  it("that has to be ready fails preview and update, on the component and before anything is sent", async () => {
    given.project.program(`new SolarReadiness("home", {
      requireReady: true, vehicles: { car: { deviceId: "car", maxCapacity: kWh(77) } }, inverters: { roof: ${ROOF} } });`);
    for (const operation of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const text = await given.project.fails(...operation);
      expect(text).to.match(
        /SolarReadiness \(home\):\n\s*error: site 'home' is not ready .*: vehicle\/car: maxChargePower not declared\. Declare what is missing/,
      );
    }
    expect(takeRequests(given.simulator)).to.deep.equal([]);
  });

  it("declares nothing that another resource declares: the preview is refused and names both", async () => {
    given.project.program(`
      new SolarReadiness("home", {
        vehicles: { car: { deviceId: "car", maxCapacity: kWh(77), maxChargePower: kW(11) } }, inverters: { roof: ${ROOF} } });
      new VehicleSettings("pool", { deviceId: "car", policy: "CHARGE BY" });`);
    const text = await given.project.fails("preview");
    expect(text).to.match(
      /resource '(home-car-policy|pool)': property policy .* is declared by VehicleSettings '(home-car-policy|pool)' too/,
    );
    expect(text.match(/resource '(.*)': property policy/)?.[1]).to.not.equal(
      text.match(/declared by VehicleSettings '(.*)' too/)?.[1],
    );
  });

  it("takes resources of the program in place of arguments, and ones that are only read", async () => {
    given.project.program(`
      const car = new VehicleSettings("car",
        { deviceId: "car", maxCapacity: kWh(77), maxChargePower: kW(11), policy: "CHARGE BY FORECAST" });
      const van = new VehicleSettings("van", { deviceId: "van", maxCapacity: kWh(60), maxChargePower: kW(11) });
      const bus = VehicleSettings.get("bus", "acme/bus");
      const barn = InverterSettings.get("barn", "acme/barn");
      const roof = new InverterSettings("roof", ${ROOF});
      const whole = new SolarReadiness("whole", { vehicles: { car, van }, inverters: { roof } });
      const site = new SolarReadiness("read", { vehicles: { bus }, inverters: { barn } });
      Object.assign(exports, { ready: whole.ready, missing: site.missing, unverified: site.unverified });`);
    expect(await given.project.succeeds("preview")).to.match(/"vehicle\/bus: maxCapacity not reported"/);
    await given.project.up();

    expect(() => given.project.resource("whole-car-policy")).to.throw("no resource");
    expect(given.project.resource("whole-van-policy").inputs).to.include({
      deviceId: "van",
      policy: "CHARGE BY FORECAST",
    });
    const updates = takeRequests(given.simulator).filter((request) => request.startsWith("PATCH"));
    expect(updates.map((request) => request.split(" ")[1])).to.have.members(["car", "van", "van", "roof"]);
    expect(updates.at(-1)).to.equal(`PATCH van {"policy":"CHARGE BY FORECAST"}`);
    expect(await outputs()).to.deep.equal({
      ready: true,
      missing: [
        "vehicle/bus: maxCapacity not reported",
        "vehicle/bus: maxChargePower not reported",
        "vehicle/bus: policy is CHARGE BY",
        "inverter/barn: baseLoad not reported",
      ],
      unverified: [],
    });
  });

  it("is ready with what was accepted and is not reported, and says what that is", async () => {
    given.simulator.behave({ reports: "nowhere" });
    given.project.program(`
      const site = new SolarReadiness("home", {
        vehicles: { car: { deviceId: "car", maxCapacity: kWh(77), maxChargePower: kW(11) } }, inverters: { roof: ${ROOF} } });
      ${EXPORTS}`);
    await given.project.up();
    const { ready, unverified } = await outputs();
    expect(ready).to.equal(true);
    expect(unverified)
      .to.have.lengthOf(7)
      .and.to.include.members([
        "vehicle/car: maxCapacity accepted, not reported",
        "inverter/roof: azimuth accepted, not reported",
      ]);
  });
});
