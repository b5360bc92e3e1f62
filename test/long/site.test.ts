import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { blocksOf } from "../support/markdown";
import { outputOf } from "../support/project";
import { RunningPulumi } from "../support/running";
import { CAR, car, DECLARED, givenSite, ROOF, roof } from "../support/siteProject";

describe("engine: a site", () => {
  const { given, declare, outputs, requests, updates, device, patched } = givenSite();

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
    const firstPatch = patched();
    const up = new RunningPulumi(given.project, "up", "--yes", "--skip-preview");
    await firstPatch;
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
