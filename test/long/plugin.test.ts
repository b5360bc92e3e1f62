import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Fleet, RequestLogEntry } from "solar-charging-simulator";
import { CAR, ROOF } from "../support/devices";
import { PolicyPack, violationsIn } from "../support/policyPack";
import { givenProject, takeRequests } from "../support/project";
import { RunningPulumi } from "../support/running";

const SITES = 100;
const CARS = ["a", "b", "c", "d"];
const DEVICES = SITES * (CARS.length + 1);
const siteNames = Array.from({ length: SITES }, (_, index) => `site-${index}`);

const devicesOf = (site: string) => [
  ...CARS.map((car) => [`${site}-${car}`, { type: "vehicle", settings: { ...CAR } }] as const),
  [`${site}-roof`, { type: "inverter", settings: { ...ROOF } }] as const,
];
const fleet: Fleet = { businesses: { acme: Object.fromEntries(siteNames.flatMap(devicesOf)) } };

/** A hundred sites of four cars and an inverter. @param capacity of the first car of the first site */
const program = (capacity: number) => `
  for (let index = 0; index < ${SITES}; index++) {
    const site = "site-" + index;
    const car = (name, maxCapacity) => ({ deviceId: site + "-" + name, maxCapacity, maxChargePower: 11000 });
    new SiteSettings(site, {
      onDelete: "restore",
      vehicles: { a: car("a", index === 0 ? ${capacity} : 77000), b: car("b", 77000), c: car("c", 77000), d: car("d", 77000) },
      inverters: {
        roof: { deviceId: site + "-roof", peakPower: 9800, azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 },
      },
    });
  }`;

describe("engine: 500 devices by the native plugin, at a service that is slow and often overloaded", () => {
  const given = givenProject(fleet, "for all");
  before(() => {
    given.project.findPlugin();
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    given.simulator.behave({ latencySeconds: 0.02 });
  });

  /** The number of requests since the last call. */
  function takeCounts() {
    const count = (requests: string[], method: string) =>
      requests.filter((request) => request.startsWith(method)).length;
    const requests = takeRequests(given.simulator);
    return { GET: count(requests, "GET"), PATCH: count(requests, "PATCH") };
  }
  const all = () => siteNames.flatMap(devicesOf).map(([id]) => given.simulator.device("acme", id));

  it("are read, set once and read back, whatever fails in between, and each has what is declared", async () => {
    given.simulator.fail({ method: "GET", status: 503, times: 10 }, { method: "PATCH", status: 429, times: 10 });
    given.project.program(program(77_000), "native");
    await given.project.up();
    expect(takeCounts()).to.deep.equal({ GET: 2 * DEVICES + 10, PATCH: DEVICES + 10 });
    const cars = all().filter((device) => "max_capacity" in device);
    expect(cars).to.have.lengthOf(SITES * CARS.length);
    for (const car of cars) {
      expect(car).to.include({ max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" });
    }
  });

  it("are asked for by no preview, one by one by a change, and once each by a refresh", async () => {
    given.project.program(program(78_000), "native");
    const preview = await given.project.succeeds("preview", "--diff");
    expect(preview).to.contain("~ maxCapacity: 77000 => 78000").and.contain(`${SITES} unchanged`);
    expect(takeCounts()).to.deep.equal({ GET: 0, PATCH: 0 });
    await given.project.up();
    expect(takeCounts()).to.deep.equal({ GET: 1, PATCH: 1 });
    await given.project.refresh();
    expect(takeCounts()).to.deep.equal({ GET: DEVICES, PATCH: 0 });
  });

  it("are all given back", async () => {
    await given.project.destroy();
    expect(takeCounts()).to.deep.equal({ GET: DEVICES, PATCH: DEVICES });
    expect(all()).to.deep.equal(siteNames.flatMap(devicesOf).map(([, { settings }]) => settings));
    expect(given.simulator.latestReads).to.equal(0);
  });
});

describe("engine: with the native plugin", () => {
  let onRequest = (_: RequestLogEntry) => {};
  const given = givenProject(
    { businesses: { acme: { car: { type: "vehicle", settings: { ...CAR } } } } },
    "for each",
    (request) => onRequest(request),
  );
  beforeEach(() => {
    onRequest = () => {};
    given.project.findPlugin();
  });

  it("the policy pack finds what a program violates", async () => {
    const VAN = '{ deviceId: "van", maxCapacity: 60000, maxChargePower: 11000 }';
    given.project.program(
      `new VehicleSettings("fast", { deviceId: "car", maxChargePower: 50000 });
       new SiteSettings("home", { vehicles: { van: ${VAN} }, solar: true });`,
      "native",
    );
    const output = await new PolicyPack(given.project).preview();
    const found = violationsIn(output).map(({ rule, resource }) => `${rule} ${resource}`);
    expect(found, output.text).to.include.members(["direct-current-power fast", "solar-ready home"]);
  });

  it("the ledger says which resource set what, and in which stack", async () => {
    const file = join(given.project.folder, "ledger.jsonl");
    given.project.env.SOLAR_CHARGING_LEDGER_FILE = file;
    given.project.program(
      `new VehicleSettings("mine", { deviceId: "car", maxCapacity: 77000, onDelete: "restore" });`,
      "native",
    );
    await given.project.up();
    const { urn } = given.project.resource("mine");
    expect(urn).to.contain("::solar-charging:index:VehicleSettings::");
    await given.project.destroy();
    const lines = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ operation, outcome, stack, urn }) => [operation, outcome, stack, urn])).to.deep.equal([
      ["create", "planned", "dev", urn],
      ["create", "accepted", "dev", urn],
      ["delete", "accepted", "dev", "urn:pulumi:dev::test::solar-charging:index:VehicleSettings::mine"],
    ]);
  });

  it("a run ends after the requests in flight at Ctrl-C, and the next one continues", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `bus-${index}`);
    for (const id of ids) given.simulator.add("acme", id, { type: "vehicle", settings: CAR });
    given.simulator.behave({ latencySeconds: 0.1 });
    given.project.env.SOLAR_CHARGING_MAX_CONCURRENCY = "2";
    given.project.program(
      `new SiteSettings("depot", { vehicles: Object.fromEntries(${JSON.stringify(ids)}.map((deviceId) =>
        [deviceId, { deviceId, maxCapacity: "77 kWh" }])) });`,
      "native",
    );
    const patched = new Promise<void>((resolve) => {
      onRequest = ({ method }) => void (method === "PATCH" && resolve());
    });
    const up = new RunningPulumi(given.project, "up", "--yes", "--skip-preview");
    await patched;
    up.signal("SIGINT");
    const { code, text } = await up.output;
    expect(code, text).to.not.equal(0);
    const updated = () => takeRequests(given.simulator).flatMap((request) => /^PATCH (\S+)/.exec(request)?.[1] ?? []);
    const sent = updated();
    expect(sent).to.have.lengthOf.below(ids.length);

    given.simulator.behave({ latencySeconds: 0 });
    await given.project.up();
    expect(updated()).to.have.members(ids.filter((id) => !sent.includes(id)));
  });
});
