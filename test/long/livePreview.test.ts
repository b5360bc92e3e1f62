import { expect } from "chai";
import type { FleetDevice, RequestLogEntry } from "solar-charging-simulator";
import { givenProject, takeRequests } from "../support/project";

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

/** The most requests that were under way at the same time. */
function mostAtOnce(requests: readonly RequestLogEntry[]): number {
  const spans = requests.map(({ time, latencyMs }) => [Date.parse(time), Date.parse(time) + latencyMs] as const);
  return Math.max(...spans.map(([begin]) => spans.filter(([from, to]) => from <= begin && begin < to).length));
}

describe("engine: a live preview", () => {
  const given = givenProject(fleet, "for all");
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
    given.simulator.behave({ latencySeconds: 1 });
    const { code, text } = await preview();
    given.simulator.behave({ latencySeconds: 0 });
    expect(code, text).to.equal(0);
    const says = text.match(/warning: .*/g) ?? [];
    expect(says).to.not.be.empty;
    for (const said of says) expect(said).to.match(/is .* in the service's cache: "pulumi up" sets it to /);
    expect(mostAtOnce(given.simulator.requests)).to.equal(DEVICES.length);
    expect(takeRequests(given.simulator)).to.have.members(DEVICES.map((id) => `GET ${id}`));
  });

  it("is one warning where the service is down, and the preview goes on without it", async () => {
    given.simulator.fail({ status: 503, times: DEVICES.length });
    const { code, text } = await preview();
    expect(code, text).to.equal(0);
    expect(text.slice(text.indexOf("Diagnostics:")).match(/warning: /g)).to.have.lengthOf(1);
    expect(text).to.match(/warning: .*live preview.*HTTP 503/);
    expect(text).to.match(/\+ 2 to create/);
  });
});

describe("engine: what a live preview finds", () => {
  const given = givenProject(fleet, "for all");
  before(() => {
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    given.project.env.SOLAR_CHARGING_LIVE_PREVIEW = "true";
  });

  it("is said on the resource: no such device, a wrong type, a value that somebody else set", async () => {
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
      /\(mine\):\n(\s*warning: .*\n)*\s*warning: .*maxCapacity is 55 kWh in the service's cache, and 60 kWh in state/,
    );
    expect(said).to.match(/\(gone\):\n\s*warning: the service does not know device 'nowhere' of business 'acme'/);
    expect(said).to.match(/\(wrong\):\n\s*warning: device 'south' of business 'acme' is of type 'Inverter'/);
    expect(takeRequests(given.simulator)).to.have.members(["GET car0", "GET nowhere", "GET south"]);
  });
});
