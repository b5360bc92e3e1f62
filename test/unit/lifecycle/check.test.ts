import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { UNKNOWN } from "../../../provider/lifecycle/program";
import type { Properties } from "../../../provider/lifecycle/state";
import type { Run } from "../../../provider/run";
import { inverter } from "../../../provider/settings/inverter";
import { vehicle } from "../../../provider/settings/vehicle";
import { CAR, COMPLETE, FakeService, ROOF, runOf } from "../../support/fakes";

const CONFIRMED = { ...COMPLETE, SOLAR_CHARGING_INVERTER_FIELDS: '{"tilt":"slope"}' };

async function problemsOf(run: Run, inputs: Properties) {
  return (await check(vehicle, run, {}, inputs)).problems;
}

describe("check", () => {
  it("refuses a business that is null, whatever the configuration says", async () => {
    const { problems } = await check(vehicle, runOf(COMPLETE), {}, { businessId: null, deviceId: "car" });
    expect(problems).to.deep.equal([{ property: "businessId", reason: "has to be a string, not null" }]);
  });

  it("gives good inputs back and makes no request", async () => {
    const service = new FakeService();
    const run = runOf(COMPLETE, service);
    const inputs = { businessId: "other", deviceId: "car", policy: "CHARGE BY", onDelete: "restore" };
    expect(await check(vehicle, run, {}, inputs)).to.deep.equal({ inputs, problems: [] });
    expect(service.requests).to.deep.equal([]);
    expect(run.shown).to.deep.equal([]);
  });

  it("resolves the business from the configuration, so that a change of it shows", async () => {
    const { inputs, problems } = await check(vehicle, runOf(COMPLETE), {}, { deviceId: "car" });
    expect(inputs).to.deep.equal({ businessId: "acme", deviceId: "car" });
    expect(problems).to.deep.equal([]);
  });

  it("resolves a business that is given as undefined, too", async () => {
    const { inputs, problems } = await check(vehicle, runOf(COMPLETE), {}, { businessId: undefined, deviceId: "car" });
    expect(inputs).to.deep.equal({ businessId: "acme", deviceId: "car" });
    expect(problems).to.deep.equal([]);
  });

  it("says where a business can be given where there is none", async () => {
    const { SOLAR_CHARGING_BUSINESS_ID: _, ...environment } = COMPLETE;
    expect(await problemsOf(runOf(environment), { deviceId: "car" })).to.deep.equal([
      {
        property: "businessId",
        reason: "is required: give it here, or set solar-charging:businessId or SOLAR_CHARGING_BUSINESS_ID",
      },
    ]);
  });

  it("puts every problem on its property, all at once", async () => {
    const problems = await problemsOf(runOf(COMPLETE), { deviceId: "", maxCapacity: 77, max_charge_power: 11_000 });
    expect(problems).to.deep.equal([
      { property: "deviceId", reason: "must not be empty" },
      { property: "maxCapacity", reason: "77 Wh is below 1000 Wh; 77 kWh is 77000" },
      { property: "max_charge_power", reason: "is not a property of VehicleSettings; did you mean maxChargePower?" },
    ]);
  });

  it("refuses null on the property", async () => {
    const problems = await problemsOf(runOf(COMPLETE), { deviceId: null, policy: null });
    expect(problems.map(({ property }) => property)).to.have.members(["deviceId", "policy"]);
  });

  describe("values that are not known yet", () => {
    it("are what the engine sends for them", () => {
      expect(UNKNOWN).to.equal(pulumi.runtime.unknownValue);
    });

    for (const key of ["deviceId", "businessId", "maxCapacity", "policy", "onDelete"]) {
      it(`pass as ${key}`, async () => {
        expect(await problemsOf(runOf(COMPLETE), { deviceId: "car", [key]: UNKNOWN })).to.deep.equal([]);
      });
    }

    it("do not pass as a misspelled property", async () => {
      expect(await problemsOf(runOf(COMPLETE), { deviceId: "car", max_capacity: UNKNOWN })).to.deep.equal([
        { property: "max_capacity", reason: "is not a property of VehicleSettings; did you mean maxCapacity?" },
      ]);
    });

    it("do not hide what is wrong with known ones", async () => {
      const problems = await problemsOf(runOf(COMPLETE), { deviceId: UNKNOWN, maxCapacity: 77 });
      expect(problems.map(({ property }) => property)).to.deep.equal(["maxCapacity"]);
    });
  });

  describe("the configuration", () => {
    it("is refused without a property, every problem in one reason", async () => {
      const run = runOf({ SOLAR_CHARGING_BASE_URL: "http://api.example.com", SOLAR_CHARGING_MAX_CONCURRENCY: "0" });
      const inputs = { deviceId: "car" };
      const checked = await check(vehicle, run, {}, inputs);
      expect(checked.inputs).to.deep.equal(inputs);
      expect(checked.problems).to.have.lengthOf(1);
      expect(checked.problems[0]?.property).to.equal("");
      expect(checked.problems[0]?.reason).to.match(/SOLAR_CHARGING_BASE_URL.*SOLAR_CHARGING_MAX_CONCURRENCY/);
    });

    it("that is wrong does not hide what is wrong with the inputs", async () => {
      const run = runOf({ ...COMPLETE, SOLAR_CHARGING_MAX_CONCURRENCY: "0" });
      const problems = await problemsOf(run, { deviceId: "car", maxCapacity: 77 });
      expect(problems.map(({ property }) => property)).to.have.members(["", "maxCapacity"]);
    });

    it("that is wrong does not let through what the class adds to the inputs", async () => {
      const run = runOf({ SOLAR_CHARGING_MAX_CONCURRENCY: "0" });
      const { inputs } = await check(
        vehicle,
        run,
        {},
        {
          ...CAR,
          __program: { hasInverter: false },
        },
      );
      expect(inputs).to.deep.equal(CAR);
    });

    it("may lack address and token, of which it warns once", async () => {
      const run = runOf({ SOLAR_CHARGING_BUSINESS_ID: "acme" });
      for (const deviceId of ["car", "van"]) expect(await problemsOf(run, { deviceId })).to.deep.equal([]);
      expect(run.shown).to.have.lengthOf(1);
      expect(run.shown[0]).to.match(
        /solar-charging:baseUrl or SOLAR_CHARGING_BASE_URL is not set; solar-charging:accessToken or SOLAR_CHARGING_ACCESS_TOKEN is not set/,
      );
    });

    it("that does not say the names of an inverter's settings is warned of once, with the command that finds them", async () => {
      const run = runOf(COMPLETE);
      for (const deviceId of ["roof", "barn"]) await check(inverter, run, {}, { deviceId });
      expect(run.shown).to.have.lengthOf(1);
      expect(run.shown[0]).to.contain("solar-charging doctor --device");
    });

    it("that confirms them is not, nor is a vehicle's, which are documented", async () => {
      const confirmed = runOf(CONFIRMED);
      await check(inverter, confirmed, {}, { deviceId: "roof" });
      const run = runOf(COMPLETE);
      await check(vehicle, run, {}, { deviceId: "car" });
      expect([...confirmed.shown, ...run.shown]).to.deep.equal([]);
    });
  });

  it("takes a text with a unit for its number", async () => {
    const { inputs, problems } = await check(vehicle, runOf(COMPLETE), {}, { ...CAR, maxCapacity: "77 kWh" });
    expect({ inputs, problems }).to.deep.equal({ inputs: { ...CAR, maxCapacity: 77_000 }, problems: [] });
  });

  describe("a key that another resource declares for the same device", () => {
    const urnOf = (name: string) =>
      `urn:pulumi:dev::home::pulumi-nodejs:dynamic/solar-charging:VehicleSettings::${name}`;
    const by = (name: string, values: Properties) => ({ ...CAR, ...values, __program: { urn: urnOf(name) } });
    const declared = { maxCapacity: 77_000, policy: "CHARGE BY" };

    it("is refused on the key, with the other resource, whatever value it has", async () => {
      const run = runOf(COMPLETE);
      expect(await problemsOf(run, by("pool", declared))).to.deep.equal([]);
      const reason = "is declared by VehicleSettings 'pool' too, for the same device: declare it once";
      for (const policy of ["CHARGE BY", "CHARGE BY FORECAST", UNKNOWN]) {
        const problems = await problemsOf(run, by("fleet", { maxChargePower: 11_000, policy }));
        expect(problems).to.deep.equal([{ property: "policy", reason }]);
      }
    });

    it("stays claimed by the first one, and the other's own keys are claimed too", async () => {
      const run = runOf(COMPLETE);
      await check(vehicle, run, {}, by("pool", declared));
      await check(vehicle, run, {}, by("fleet", { maxChargePower: 11_000, policy: "CHARGE BY FORECAST" }));
      expect(run.claims.urnOf(CAR, "policy")).to.equal(urnOf("pool"));
      expect(run.claims.against(CAR, "policy", "CHARGE BY")).to.equal(undefined);
      expect(run.claims.urnOf(CAR, "maxChargePower")).to.equal(urnOf("fleet"));
    });

    it("is accepted of a resource that is checked again, as the engine does with one that is replaced", async () => {
      const run = runOf(COMPLETE);
      await check(vehicle, run, {}, by("pool", declared));
      expect(await problemsOf(run, by("pool", { maxCapacity: 80_000 }))).to.deep.equal([]);
      expect(run.claims.against(CAR, "maxCapacity", 80_000)).to.equal(undefined);
      expect(run.claims.against(CAR, "policy", undefined), "what it no longer declares").to.equal(undefined);
    });

    it("is another one of another device or another business", async () => {
      const run = runOf(COMPLETE);
      await check(vehicle, run, {}, by("pool", declared));
      for (const other of [{ deviceId: "van" }, { businessId: "other" }]) {
        expect(await problemsOf(run, by("fleet", { ...declared, ...other }))).to.deep.equal([]);
      }
    });

    it("is refused as a device of two kinds, whatever the keys are", async () => {
      const run = runOf(COMPLETE);
      await check(vehicle, run, {}, by("pool", {}));
      const { problems } = await check(inverter, run, {}, { ...CAR, tilt: 35, __program: { urn: "urn:roof" } });
      expect(problems.map(({ property }) => property)).to.deep.equal(["deviceId"]);
    });

    for (const none of [undefined, null, UNKNOWN]) {
      it(`is accepted if the resource is not known (${none}), and nothing of that is kept`, async () => {
        const run = runOf(COMPLETE);
        const inputs = { ...CAR, ...declared };
        for (const _ of ["first", "second"]) {
          const checked = await check(vehicle, run, {}, { ...inputs, __program: { urn: none } });
          expect(checked).to.deep.equal({ inputs, problems: [] });
        }
      });
    }
  });

  it("claims the declared keys of the device, and no other", async () => {
    const run = runOf(COMPLETE);
    await check(vehicle, run, {}, { deviceId: "car", maxCapacity: 77_000, policy: UNKNOWN });
    expect(run.claims.against(CAR, "maxCapacity", undefined)).to.equal("this stack");
    expect(run.claims.against(CAR, "policy", undefined)).to.equal("this stack");
    expect(run.claims.against(CAR, "maxChargePower", undefined)).to.equal(undefined);
    expect(run.claims.against(ROOF, "maxCapacity", undefined)).to.equal(undefined);
  });

  it("claims nothing for inputs that it refuses", async () => {
    const run = runOf(COMPLETE);
    await check(vehicle, run, {}, { deviceId: "car", maxCapacity: 77_000, maxChargePower: 1 });
    expect(run.claims.against(CAR, "maxCapacity", undefined)).to.equal(undefined);
  });

  for (const unknown of ["businessId", "deviceId"]) {
    it(`claims nothing while ${unknown} is not known: no device has that id`, async () => {
      const run = runOf(COMPLETE);
      const device = { ...CAR, [unknown]: UNKNOWN };
      await check(vehicle, run, {}, { ...device, maxCapacity: 77_000 });
      expect(run.claims.against(device, "maxCapacity", undefined)).to.equal(undefined);
    });
  }

  it("names the device in a warning, because a detailed preview does not", async () => {
    const run = runOf(COMPLETE);
    await check(vehicle, run, {}, { deviceId: "car", maxCapacity: 5000, policy: "CHARGE BY FORECAST" });
    expect(run.shown[0]).to.match(/^device 'car': maxCapacity 5000 Wh/);
  });

  it("names no device in a warning while its id is not known", async () => {
    const run = runOf(COMPLETE);
    await check(vehicle, run, {}, { deviceId: UNKNOWN, maxCapacity: 5000, policy: "CHARGE BY FORECAST" });
    expect(run.shown[0]).to.match(/^maxCapacity 5000 Wh/);
  });
});
