import { join } from "node:path";
import { expect } from "chai";
import { CAR, ROOF, VAN } from "../support/devices";
import { blocksOf } from "../support/markdown";
import { RunningPulumi } from "../support/running";
import { car, DECLARED, FORECAST, givenSite, roof } from "../support/siteProject";

describe("engine: a site", () => {
  const { given, declare, outputs, updates, device, patched } = givenSite();

  it("counts the reported values of an observed device, and sends nothing to it", async () => {
    declare(`{ vehicles: { car: ${car("car")} }, inverters: { roof: { deviceId: "roof", observe: true } } }`);
    await given.project.up();
    expect(outputs()).to.deep.include({ ready: true });
    expect(device("car")).to.deep.equal(DECLARED);
    await given.project.destroy();
    expect(device("roof")).to.deep.equal(ROOF);
    expect(updates().map((request) => request.split(" ")[1])).to.deep.equal(["car"]);
  });

  it("counts the values that a car itself reports, not those that the service assumes for an unknown car", async () => {
    const site = (id: string, more = "") =>
      declare(`{ vehicles: { car: { deviceId: "${id}" } }, inverters: { roof: ${roof("roof")} } ${more} }`);
    given.simulator.behave({ showsDefaults: true });
    given.simulator.add("acme", "unknown", { type: "vehicle" });

    // Before the first read, readiness is unknown: the preview passes, and shows no `ready`.
    site("unknown", ", requireReady: true");
    expect(await given.project.succeeds("preview")).to.not.match(/ready\s*: (true|false)/);
    expect(await given.project.fails("up", "--yes", "--skip-preview")).to.contain("the service assumes 80 kWh");
    expect(updates()).to.deep.equal([]);
    site("unknown");
    await given.project.up();
    const gaps = ["maxCapacity", "maxChargePower"].map((setting) => ({
      ...{ device: "vehicle/car", setting, reason: "assumed" },
    }));
    expect(outputs()).to.deep.include({ ready: false, gaps });
    expect(updates().filter((request) => request.includes("unknown"))).to.deep.equal([]);
    await given.project.succeeds("preview", "--expect-no-changes");

    site("car", ", requireReady: true");
    await given.project.up();
    expect(updates()).to.deep.equal([`PATCH car {"policy":"${FORECAST}"}`]);
    expect(outputs()).to.deep.include({ ready: true, gaps: [] });
    await given.project.succeeds("preview", "--expect-no-changes");
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

  /**
   * Moves a van to the other site, and then out of that site. It must then have the values from before the first site.
   */
  async function moveVan(first: "west" | "east"): Promise<void> {
    const site = (name: string, cars: string, inverter: string) => `
      const ${name} = new SiteSettings("${name}",
        { onDelete: "restore", vehicles: { ${cars} }, inverters: { roof: ${roof(inverter)} } },
        ${name === first ? "{}" : `{ dependsOn: [${first}] }`});`;
    const sites = (cars: string, others: string) => {
      const [west, east] = [site("west", cars, "roof"), site("east", others, "barn")];
      given.project.program(first === "west" ? west + east : east + west);
    };
    sites(`car: ${car("car")}, van: ${car("van")}`, "");
    await given.project.up();
    sites(`car: ${car("car")}`, `van: ${car("van")}`);
    await given.project.up();
    expect(device("van")).to.deep.equal(DECLARED);

    sites(`car: ${car("car")}`, "");
    await given.project.up();
    expect(device("van")).to.deep.equal(VAN);
    expect(device("car")).to.deep.equal(DECLARED);
  }

  it("keeps the first baseline of a device that moves to a site that is updated later", () => moveVan("west"));

  it("keeps the first baseline of a device that moves to a site that is updated earlier, with a ledger", async () => {
    given.project.env.SOLAR_CHARGING_LEDGER_FILE = join(given.project.folder, "ledger.jsonl");
    await moveVan("east");
  });

  it("loses no baseline to a kill in its first update if there is a ledger", async () => {
    given.project.env.SOLAR_CHARGING_LEDGER_FILE = join(given.project.folder, "ledger.jsonl");
    declare(`{ onDelete: "restore", vehicles: { car: ${car("car")} }, inverters: { roof: ${roof("roof")} } }`);
    const firstPatch = patched();
    const up = new RunningPulumi(given.project, "up", "--yes", "--skip-preview");
    await firstPatch;
    up.signal("SIGKILL");
    up.killHost();
    await up.output;

    const [recovery] = blocksOf("docs/recovery.md").filter(({ section }) => section === "The engine was killed");
    await given.project.shell(recovery?.text ?? "exit 1");
    expect(device("car")).to.deep.equal(DECLARED);
    await given.project.destroy();
    expect([device("car"), device("roof")]).to.deep.equal([CAR, ROOF]);
  });

  it("ends after the requests in flight at Ctrl-C, and the next update continues", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `bus-${index}`);
    for (const id of ids) given.simulator.add("acme", id, { type: "vehicle", settings: CAR });
    given.simulator.behave({ latencySeconds: 0.1 });
    given.project.env.SOLAR_CHARGING_MAX_CONCURRENCY = "2";
    declare(`{ vehicles: Object.fromEntries(${JSON.stringify(ids)}.map((deviceId) =>
      [deviceId, { deviceId, maxCapacity: "77 kWh" }])) }`);
    const firstPatch = patched();
    const up = new RunningPulumi(given.project, "up", "--yes", "--skip-preview");
    await firstPatch;
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
