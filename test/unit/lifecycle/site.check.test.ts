import { expect } from "chai";
import { UNKNOWN } from "../../../provider/lifecycle/program";
import type { Properties } from "../../../provider/lifecycle/state";
import { omit } from "../../../provider/settings/setting";
import { virtualClock } from "../../support/clock";
import { FakeService, said } from "../../support/fakes";
import { CAR_VALUES, FORECAST, ROOF_VALUES, SITE, SiteStack, siteService } from "../../support/sites";

const { a, b } = SITE.vehicles;
const { p, q } = SITE.inverters;
const LACKING = { ...SITE, inverters: { q, p: omit(p as Record<string, unknown>, ["tilt"]) } };

/** A check of a site that is not in state, with the warnings that it showed. */
async function checked(args: Properties, facts: Properties = {}) {
  const service = new FakeService();
  const site = new SiteStack(service);
  const run = site.run();
  const { inputs, problems } = await site.check(args, run, facts);
  expect(service.requests).to.deep.equal([]);
  return { inputs, shown: run.shown, properties: problems.map(({ property }) => property), problems, run };
}

describe("check of a site", () => {
  it("gives inputs that say what is declared, in units of the settings, and what the site will be", async () => {
    const { inputs, properties, shown } = await checked({
      ...SITE,
      vehicles: { a: { deviceId: "car-a", maxCapacity: "77 kWh", maxChargePower: "11 kW" } },
      inverters: { p: { ...p, azimuth: "S", peakPower: "9.8 kWp" } },
      latitude: "52.5°",
      onDelete: "restore",
    });
    expect(properties).to.deep.equal([]);
    expect(shown).to.deep.equal([]);
    const shared = { businessId: "acme", onDelete: "restore" };
    expect(inputs).to.deep.equal({
      site: "home",
      vehicles: { a: { ...shared, deviceId: "car-a", ...CAR_VALUES, policy: FORECAST, policyFromSite: true } },
      inverters: { p: { ...shared, deviceId: "roof-p", ...ROOF_VALUES } },
      latitude: 52.5,
      solar: true,
      ready: true,
      gaps: [],
      missing: [],
    });
  });

  it("finds the same wrong with what it gave", async () => {
    const { inputs } = await checked(SITE);
    const { site: _, ready, gaps, missing, ...args } = inputs;
    const plain = JSON.parse(JSON.stringify(args).replaceAll(`,"policy":"${FORECAST}","policyFromSite":true`, ""));
    expect((await checked(plain)).inputs).to.deep.equal(inputs);
  });

  it("refuses what is wrong by its path, also a misspelled key", async () => {
    const { properties } = await checked({
      vehicles: { a: { ...a, maxCapacty: 1 }, b: { ...b, maxCapacity: 77 }, c: {}, d: {} },
      inverters: { p: { ...p, tilt: "steep" }, q: { ...q, businessId: 5 } },
    });
    expect(properties).to.have.members([
      "vehicles.a.maxCapacty",
      "vehicles.b.maxCapacity",
      "vehicles.c.deviceId",
      "vehicles.d.deviceId",
      "inverters.p.tilt",
      "inverters.q.businessId",
    ]);
  });

  it("prefers a device's business and onDelete to those of its site", async () => {
    const { inputs } = await checked({
      vehicles: { a: { ...a, businessId: "north", onDelete: "retain" }, b },
      businessId: "south",
      onDelete: "restore",
    });
    expect(inputs).to.have.nested.include({ "vehicles.a.businessId": "north", "vehicles.a.onDelete": "retain" });
    expect(inputs).to.have.nested.include({ "vehicles.b.businessId": "south", "vehicles.b.onDelete": "restore" });
  });

  describe("of readiness", () => {
    it("warns once with each gap, and gives no car its policy", async () => {
      const { inputs, shown } = await checked({
        ...LACKING,
        vehicles: { a, b: omit(b as Record<string, unknown>, ["maxCapacity"]) },
      });
      expect(shown).to.have.lengthOf(1);
      expect(shown[0])
        .to.contain("inverter/p: tilt is not declared")
        .and.contain("vehicle/b: maxCapacity is not declared");
      expect(inputs.ready).to.equal(false);
      expect(inputs.gaps).to.have.deep.members([
        { device: "inverter/p", setting: "tilt", reason: "notDeclared" },
        { device: "vehicle/b", setting: "maxCapacity", reason: "notDeclared" },
      ]);
      expect(inputs).to.not.have.nested.property("vehicles.a.policy");
    });

    it("refuses a site that lacks something with requireReady, and accepts one that does not", async () => {
      expect((await checked({ ...LACKING, requireReady: true })).properties).to.deep.equal(["requireReady"]);
      expect((await checked({ vehicles: { a }, requireReady: true })).properties).to.deep.equal(["requireReady"]);
      expect((await checked({ ...SITE, solar: false, requireReady: true })).properties).to.deep.equal(["requireReady"]);
      expect((await checked({ ...SITE, requireReady: true })).properties).to.deep.equal([]);
      expect((await checked({ ...LACKING, requireReady: false })).properties).to.deep.equal([]);
    });

    it("leaves policies alone with solar: false, or without inverters, and says nothing of gaps", async () => {
      for (const args of [{ ...SITE, solar: false }, { vehicles: { a } }]) {
        const { inputs, shown } = await checked(args);
        expect(inputs).to.not.have.nested.property("vehicles.a.policy");
        expect(inputs).to.include({ solar: false, ready: false });
        expect(shown).to.deep.equal([]);
      }
    });

    it("leaves out a car that declares its policy", async () => {
      const own = { deviceId: "car-b", policy: "CHARGE BY" };
      const { inputs } = await checked({ ...SITE, vehicles: { a, b: own } });
      expect(inputs).to.include({ ready: true });
      expect(inputs).to.have.nested.property("vehicles.b.policy", "CHARGE BY");
      expect(inputs).to.not.have.nested.property("vehicles.b.policyFromSite");
    });

    it("supposes the best of an observed device, and says nothing of ready before the update", async () => {
      const { inputs, properties } = await checked({
        ...SITE,
        inverters: { p: { deviceId: "roof-p", observe: true } },
        requireReady: true,
      });
      expect(properties).to.deep.equal([]);
      expect(inputs).to.not.have.any.keys("ready", "gaps", "missing");
      expect(inputs).to.have.nested.property("vehicles.a.policy", FORECAST);
    });
  });

  describe("of values that are not known yet", () => {
    it("counts them as declared", async () => {
      const unknown = { deviceId: UNKNOWN, maxCapacity: UNKNOWN, maxChargePower: UNKNOWN };
      const { inputs, properties, shown } = await checked({ ...SITE, vehicles: { a: unknown }, requireReady: true });
      expect(properties).to.deep.equal([]);
      expect(shown).to.deep.equal([]);
      expect(inputs).to.include({ ready: true });
      expect(inputs.vehicles).to.deep.equal({
        a: { ...unknown, businessId: "acme", policy: FORECAST, policyFromSite: true },
      });
    });

    for (const key of ["vehicles", "inverters", "solar"]) {
      it(`refuses and warns of nothing while ${key} is one`, async () => {
        const { inputs, properties, shown } = await checked({ ...LACKING, [key]: UNKNOWN, requireReady: true });
        expect(properties).to.deep.equal([]);
        expect(shown.filter((text) => text.includes("not ready"))).to.deep.equal([]);
        expect(inputs[key]).to.equal(UNKNOWN);
        expect(inputs).to.not.have.any.keys("ready", "gaps", "missing");
      });
    }

    it("still refuses what is wrong beside them", async () => {
      const { properties } = await checked({
        ...SITE,
        vehicles: { a: { deviceId: UNKNOWN, maxCapacity: 77 } },
        inverters: UNKNOWN,
      });
      expect(properties).to.deep.equal(["vehicles.a.maxCapacity"]);
    });
  });

  describe("of a live preview", () => {
    const swapped = {
      "inverter/p": { problem: said("it is a vehicle") },
      "vehicle/a": { problem: said("it is an inverter") },
    };

    it("makes a site of swapped ids not ready, and warns of each device with the site's resource", async () => {
      const { inputs, shown } = await checked(SITE, { liveDevices: swapped, isPreview: true });
      expect(inputs).to.include({ ready: false });
      expect(inputs.gaps).to.have.deep.members(
        Object.keys(swapped).map((device) => ({ device, setting: "deviceId", reason: "otherDevice" })),
      );
      expect(inputs).to.not.have.nested.property("vehicles.b.policy");
      for (const [label, { problem }] of Object.entries(swapped))
        expect(shown).to.include(`${label}: ${problem.finding}`);
    });

    it("refuses it with requireReady", async () => {
      const { properties } = await checked({ ...SITE, requireReady: true }, { liveDevices: swapped });
      expect(properties).to.deep.equal(["requireReady"]);
    });

    it("counts what observed devices report", async () => {
      const inverters = { p: { deviceId: "roof-p", observe: true } };
      const reported = omit(ROOF_VALUES as Record<string, number>, ["tilt"]);
      const { inputs } = await checked({ ...SITE, inverters }, { liveDevices: { "inverter/p": { values: reported } } });
      expect(inputs.gaps).to.deep.equal([{ device: "inverter/p", setting: "tilt", reason: "notReported" }]);
    });
  });
});

describe("preview of a site", () => {
  virtualClock();

  it("says in one message which device changes how, and says nothing if none does", async () => {
    const site = new SiteStack(siteService());
    await site.up(SITE);
    expect((await site.preview(SITE)).shown).to.deep.equal([]);
    const { changes, shown } = await site.preview({
      vehicles: { van: a, c: { deviceId: "car-c", maxCapacity: 50_000, maxChargePower: 7400 } },
      inverters: { q, p: { ...omit(p as Record<string, unknown>, ["baseLoad"]), tilt: UNKNOWN, onDelete: "restore" } },
      // Without the other one's base load, 0 is a low one.
      ignoreLints: ["low-base-load"],
    });
    expect(changes).to.have.lengthOf(6);
    expect(shown.at(-1)?.split("\n")).to.have.members([
      "inverter/p: tilt 35 → (known after the update), baseLoad 400 → unmanaged, onDelete retain → restore",
      "vehicle/van: was vehicle/a",
      "vehicle/c: new maxCapacity 50000 maxChargePower 7400",
      "vehicle/b: leaves (retain)",
    ]);
  });

  it("says nothing in an update, which shows what it does", async () => {
    const site = new SiteStack(siteService());
    await site.up(SITE);
    await site.up({ ...SITE, inverters: { q, p: { ...p, tilt: 30 } } });
    expect(site.shown.filter((text) => text.includes("→"))).to.deep.equal([]);
  });
});
