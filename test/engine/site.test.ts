import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import type { Fleet, RequestLogEntry } from "../../simulator";
import { blocksOf } from "../support/markdown";
import { givenProject, outputOf, takeRequests } from "../support/project";
import { RunningPulumi } from "../support/running";

const CAR = { max_capacity: 50_000, max_charge_power: 7_400, policy: "CHARGE BY" };
const ROOF = { peak_power: 5_000, azimuth: 90, tilt: 10, cut_in_threshold: 20, base_load: 100 };
const FORECAST = "CHARGE BY FORECAST";
const fleet: Fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", settings: CAR },
      van: { type: "vehicle", settings: CAR },
      roof: { type: "inverter", settings: ROOF },
      barn: { type: "inverter", settings: ROOF },
    },
  },
};

/** Arguments of devices, as they stand in a program. */
const car = (deviceId: string, more = "") =>
  `{ deviceId: "${deviceId}", maxCapacity: "77 kWh", maxChargePower: "11 kW" ${more} }`;
const roof = (deviceId: string) =>
  `{ deviceId: "${deviceId}", peakPower: "9.8 kWp", azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 }`;
const DECLARED = { max_capacity: 77_000, max_charge_power: 11_000, policy: FORECAST };

/** Longest time of a test that runs the engine a dozen times, in milliseconds. */
const MANY_RUNS = 300_000;

describe("engine: a site", () => {
  let onRequest: (entry: RequestLogEntry) => void = () => {};
  const given = givenProject(fleet, "for each", (entry) => onRequest(entry));
  beforeEach(() => {
    onRequest = () => {};
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    given.project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    given.project.env.SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS = "0";
  });

  /** Declares a site that exports its outputs; the arguments are a text of the program. */
  const declare = (args: string) =>
    given.project.program(`const { ready, gaps, missing, unverified } = new SiteSettings("home", ${args});
      Object.assign(exports, { ready, gaps, missing, unverified });`);
  const outputs = async () => JSON.parse(await given.project.succeeds("stack", "output", "--json"));
  const requests = () => takeRequests(given.simulator);
  const updates = () => requests().filter((request) => request.startsWith("PATCH"));
  const device = (id: string) => given.simulator.device("acme", id);

  it("goes from nothing to ready, is repaired after drift, and is given back as it was", async () => {
    const site = (cars: string, more = "") =>
      declare(`{ onDelete: "restore", vehicles: { ${cars} }, inverters: { roof: ${roof("roof")} } ${more} }`);

    // Not ready: the preview says what is missing, and where it has to be ready it fails.
    site(`car: { deviceId: "car", maxChargePower: "11 kW" }`);
    const gap = "vehicle/car: maxCapacity is not declared";
    expect(await given.project.succeeds("preview"))
      .to.match(/ready\s*: false/)
      .and.contain(gap);
    site(`car: { deviceId: "car", maxChargePower: "11 kW" }`, ", requireReady: true");
    for (const operation of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      expect(await given.project.fails(...operation)).to.contain(gap);
    }
    expect(requests(), "before the first update").to.deep.equal([]);
    site(`car: { deviceId: "car", maxChargePower: "11 kW" }`);
    await given.project.up();
    expect(await outputs()).to.deep.include({
      ready: false,
      gaps: [{ device: "vehicle/car", setting: "maxCapacity", reason: "notDeclared" }],
      missing: [gap],
    });
    expect(device("car")).to.deep.equal({ ...CAR, max_charge_power: 11_000 });
    requests();

    // Ready: one update of the car, with its policy; then nothing to do.
    site(`car: ${car("car")}`);
    const preview = await given.project.succeeds("preview");
    expect(preview).to.contain("vehicle/car: maxCapacity 50000 → 77000, policy CHARGE BY → CHARGE BY FORECAST");
    await given.project.up();
    expect(requests()).to.deep.equal([`PATCH car {"max_capacity":77000,"policy":"${FORECAST}"}`, "GET car"]);
    expect(await outputs()).to.deep.equal({ ready: true, gaps: [], missing: [], unverified: [] });
    await given.project.succeeds("preview", "--expect-no-changes");
    expect(requests()).to.deep.equal([]);

    // Drift: found by one read a device, and repaired by the setting alone.
    given.simulator.appUserSets("acme", "roof", { tilt: 5 });
    expect(await given.project.refresh("--diff")).to.match(/tilt\s*: 35 => 5/);
    expect(requests()).to.have.members(["GET car", "GET roof"]);
    await given.project.up();
    expect(updates()).to.deep.equal([`PATCH roof {"tilt":35}`]);

    // Another name: nothing is sent, and the baseline stays.
    site(`pool: ${car("car")}`);
    expect(await given.project.succeeds("preview")).to.contain("vehicle/pool: was vehicle/car");
    await given.project.up();
    expect(requests()).to.deep.equal([]);

    // Given back: the car first.
    await given.project.destroy();
    expect(updates().map((request) => request.split(" ")[1])).to.deep.equal(["car", "roof"]);
    expect([device("car"), device("roof")]).to.deep.equal([CAR, ROOF]);
  }).timeout(MANY_RUNS);

  it("keeps what was accepted when a device fails, and the next update sends the rest alone", async () => {
    declare(`{ vehicles: { car: ${car("car")}, van: ${car("van")} },
      inverters: { roof: ${roof("roof")}, barn: ${roof("barn")} } }`);
    given.simulator.fail({ status: 422, body: "no", method: "PATCH", deviceId: "barn" });
    expect(await given.project.fails("up", "--yes", "--skip-preview")).to.match(/inverter\/barn: .*HTTP 422/);
    const first = requests();
    expect(first.indexOf("GET car")).to.be.greaterThan(-1);
    expect(first).to.have.lengthOf(4 + 4 + 3);
    for (const id of ["car", "van"]) expect(device(id)).to.deep.equal({ ...DECLARED, policy: "CHARGE BY" });

    const preview = await given.project.succeeds("preview");
    expect(preview).to.contain("inverter/barn: new peakPower 9800");
    expect(preview).to.contain("vehicle/van: policy CHARGE BY → CHARGE BY FORECAST");
    await given.project.up();
    const rest = updates();
    expect(rest[0]).to.match(/^PATCH barn /);
    expect(rest.slice(1)).to.have.members(["car", "van"].map((id) => `PATCH ${id} {"policy":"${FORECAST}"}`));
    expect(await outputs()).to.deep.include({ ready: true });
  });

  it("counts what an observed device reports, and writes nothing to it", async () => {
    declare(`{ vehicles: { car: ${car("car")} }, inverters: { roof: { deviceId: "roof", observe: true } } }`);
    await given.project.up();
    expect(await outputs()).to.deep.include({ ready: true });
    expect(device("car")).to.deep.equal(DECLARED);
    await given.project.destroy();
    expect(device("roof")).to.deep.equal(ROOF);
    expect(updates().map((request) => request.split(" ")[1])).to.deep.equal(["car"]);
  });

  it("refuses a setting that another resource declares, and names both", async () => {
    given.project.program(`
      new SiteSettings("home", { vehicles: { car: ${car("car")} }, inverters: { roof: ${roof("roof")} } });
      new VehicleSettings("pool", { deviceId: "car", maxCapacity: "60 kWh" });`);
    const text = await given.project.fails("preview");
    expect(text).to.match(
      /maxCapacity is declared by VehicleSettings 'pool' too|by vehicle\/car of SiteSettings 'home' too/,
    );
  });

  it("keeps a device that moves to another site of the program as declared, with its first baseline", async () => {
    const sites = (left: string, right: string) =>
      given.project.program(`
        const inverters = (deviceId) => ({ roof: { ...${roof("roof")}, deviceId } });
        new SiteSettings("west", { onDelete: "restore", vehicles: { ${left} }, inverters: inverters("roof") });
        new SiteSettings("east", { onDelete: "restore", vehicles: { ${right} }, inverters: inverters("barn") });`);
    sites(`car: ${car("car")}, van: ${car("van")}`, "");
    await given.project.up();
    requests();
    sites(`car: ${car("car")}`, `van: ${car("van")}`);
    await given.project.up();
    // If the engine checks the other site late, the device is given back and set again: the end is the same.
    expect(device("van")).to.deep.equal(DECLARED);

    // It leaves for good: now the site that has it gives it back, as it was before the first one.
    sites(`car: ${car("car")}`, "");
    await given.project.up();
    expect(device("van")).to.deep.equal(CAR);
    expect(device("car")).to.deep.equal(DECLARED);
  });

  it("loses no baseline to a kill in its first update if there is a ledger", async () => {
    given.project.env.SOLAR_CHARGING_LEDGER_FILE = join(given.project.folder, "ledger.jsonl");
    declare(`{ onDelete: "restore", vehicles: { car: ${car("car")} }, inverters: { roof: ${roof("roof")} } }`);
    const patched = new Promise<void>((resolve) => {
      onRequest = ({ method }) => {
        if (method === "PATCH") resolve();
      };
    });
    const up = new RunningPulumi(given.project, "up", "--yes", "--skip-preview");
    await patched;
    up.signal("SIGKILL");
    up.killHost();
    await up.output;

    const [recovery] = blocksOf("docs/recovery.md").filter(({ section }) => section === "The engine was killed");
    const { folder, env } = given.project;
    const { code, text } = await outputOf(
      spawn("bash", ["-e", "-c", recovery?.text ?? "exit 1"], { cwd: folder, env }),
    );
    expect(code, text).to.equal(0);
    expect(device("car")).to.deep.equal(DECLARED);
    await given.project.destroy();
    expect([device("car"), device("roof")]).to.deep.equal([CAR, ROOF]);
  });

  it("ends after the requests in flight at Ctrl-C, and the next update goes on", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `bus-${index}`);
    for (const id of ids) given.simulator.add("acme", id, { type: "vehicle", settings: CAR });
    given.simulator.behave({ latencySeconds: 0.1 });
    given.project.env.SOLAR_CHARGING_MAX_CONCURRENCY = "2";
    declare(`{ vehicles: Object.fromEntries(${JSON.stringify(ids)}.map((deviceId) =>
      [deviceId, { deviceId, maxCapacity: "77 kWh" }])) }`);
    const patched = new Promise<void>((resolve) => {
      onRequest = ({ method }) => {
        if (method === "PATCH") resolve();
      };
    });
    const up = new RunningPulumi(given.project, "up", "--yes", "--skip-preview");
    await patched;
    up.signal("SIGINT");
    const { code, text } = await up.output;
    expect(code, text).to.not.equal(0);
    const sent = updates().map((request) => request.split(" ")[1]);
    expect(sent).to.have.lengthOf.below(ids.length);

    given.simulator.behave({ latencySeconds: 0 });
    await given.project.up();
    expect(updates().map((request) => request.split(" ")[1])).to.have.members(ids.filter((id) => !sent.includes(id)));
  });
});
