import { expect } from "chai";
import type { FleetDevice } from "solar-charging-simulator";
import { givenProject, takeRequests } from "../support/project";
import { servers } from "../support/server";

const CARS = Array.from({ length: 10 }, (_, index) => `car${index}`);
const ROOFS = ["south", "west"];
const DEVICES = [...CARS, ...ROOFS];

const vehicle: FleetDevice = { type: "vehicle" };
const inverter: FleetDevice = { type: "inverter" };
const fleet = {
  businesses: {
    acme: Object.fromEntries([...CARS.map((id) => [id, vehicle]), ...ROOFS.map((id) => [id, inverter])]),
  },
};

const DEPOT = `
  const entries = (ids, make) => Object.fromEntries(ids.map((deviceId) => [deviceId, { deviceId, ...make }]));
  new SiteSettings("depot", {
    ignoreLints: ["repeated-base-load"],
    vehicles: entries(${JSON.stringify(CARS)}, { maxCapacity: kWh(60), maxChargePower: kW(11) }),
    inverters: entries(${JSON.stringify(ROOFS)},
      { peakPower: kW(50), azimuth: "S", tilt: 20, cutInThreshold: 200, baseLoad: 900 }),
  });`;

describe("engine: a live preview", () => {
  const given = givenProject(fleet, "for all");
  const serve = servers();
  const preview = (env: NodeJS.ProcessEnv = { SOLAR_CHARGING_LIVE_PREVIEW: "true" }) =>
    given.project.pulumi(["preview"], env);
  before(() => {
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    given.project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
  });
  beforeEach(() => {
    given.project.program(DEPOT);
    takeRequests(given.simulator);
  });

  it("is off by default: no request", async () => {
    expect((await preview({})).code).to.equal(0);
    expect(takeRequests(given.simulator)).to.deep.equal([]);
  });

  it("reads each device of a site once, and all at the same time", async () => {
    const { simulator } = given;
    const waiting: (() => void)[] = [];
    // Passes no request on before all have arrived. If they came one by one, they would time out.
    const { url } = await serve(async (response, { path, headers: { authorization = "" } }) => {
      await new Promise<void>((pass) => {
        waiting.push(pass);
        if (waiting.length === DEVICES.length) for (const each of waiting) each();
      });
      const answer = await fetch(simulator.url + path, { headers: { authorization } });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    const { code, text } = await preview({ SOLAR_CHARGING_LIVE_PREVIEW: "true", SOLAR_CHARGING_BASE_URL: url });
    expect(code, text).to.equal(0);
    const says = text.match(/warning: .*/g) ?? [];
    expect(says).to.not.be.empty;
    for (const said of says) expect(said).to.match(/"pulumi up"/);
    expect(takeRequests(given.simulator)).to.have.members(DEVICES.map((id) => `GET ${id}`));
  });

  it("is one warning if the service is down, and the preview continues without it", async () => {
    given.simulator.fail({ status: 503, times: DEVICES.length });
    const { code, text } = await preview();
    expect(code, text).to.equal(0);
    expect(text.slice(text.indexOf("Diagnostics:")).match(/warning: /g)).to.have.lengthOf(1);
    expect(text).to.match(/warning: .*HTTP 503/);
    expect(text).to.match(/\+ 2 to create/);
  });
});

describe("engine: the findings of a live preview", () => {
  const given = givenProject(fleet, "for all");
  before(() => {
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    given.project.env.SOLAR_CHARGING_LIVE_PREVIEW = "true";
  });

  it("appears on the resource: no such device, a wrong type, a value that somebody else set", async () => {
    given.project.program(`new VehicleSettings("mine", { deviceId: "car0", maxCapacity: kWh(60) });`);
    await given.project.up();
    expect(takeRequests(given.simulator), "up").to.deep.equal([
      "GET car0",
      `PATCH car0 {"max_capacity":60000}`,
      "GET car0",
    ]);
    given.simulator.appUserSets("acme", "car0", { max_capacity: 55_000 });

    given.project.program(`
      new VehicleSettings("mine", { deviceId: "car0", maxCapacity: kWh(60) });
      new VehicleSettings("gone", { deviceId: "nowhere", policy: "CHARGE BY" });
      new VehicleSettings("wrong", { deviceId: "south", policy: "CHARGE BY" });`);
    const text = await given.project.succeeds("preview");
    const said = text.slice(text.indexOf("Diagnostics:"));
    expect(said).to.match(
      /\(mine\):\n(\s*warning: .*\n)*\s*warning: .*maxCapacity .* 55 kWh .* 60 kWh .*"pulumi refresh"/,
    );
    expect(said).to.match(/\(gone\):\n\s*warning: .*device 'nowhere' of business 'acme'/);
    expect(said).to.match(/\(wrong\):\n\s*warning: device 'south' of business 'acme' .*'Inverter'/);
    expect(takeRequests(given.simulator)).to.have.members(["GET car0", "GET nowhere", "GET south"]);
  });
});
