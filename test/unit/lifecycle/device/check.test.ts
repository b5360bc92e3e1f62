import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { failureOf } from "../../../../provider/engine/answers";
import { check } from "../../../../provider/lifecycle/device/check";
import type { Context } from "../../../../provider/lifecycle/run/context";
import { SecretInputs } from "../../../../provider/lifecycle/run/secretInputs";
import { textOf } from "../../../../provider/messages/message";
import { inverter } from "../../../../provider/settings/inverter";
import type { Properties } from "../../../../provider/settings/objects";
import { omit, UNKNOWN } from "../../../../provider/settings/objects";
import type { DeviceKind } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { expectFacts } from "../../../support/facts";
import { CAR, COMPLETE, contextOf, FakeService, type NotedRun, ROOF, runOf, said } from "../../../support/fakes";

const CONFIRMED = { ...COMPLETE, SOLAR_CHARGING_INVERTER_FIELDS: '{"tilt":"slope"}' };
const { SOLAR_CHARGING_BUSINESS_ID: _, ...HOMELESS } = COMPLETE;

const ALONE = "forecast-without-inverter";
const FORECAST = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const QUIET = { ...FORECAST, ignoreLints: [ALONE] };
const FAST = { ...QUIET, maxChargePower: 50_000 };
const WHOLE = { peakPower: 9_800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

interface Given {
  readonly run?: NotedRun;
  readonly facts?: Partial<Context>;
  readonly olds?: Properties;
}

/** A check of inputs, and its warnings. It makes no request. */
async function checked(kind: DeviceKind, news: Properties, { facts = {}, olds = {}, ...given }: Given = {}) {
  const service = new FakeService();
  const run = given.run ?? runOf(CONFIRMED, service);
  const { inputs, problems } = await check(kind, run, contextOf(facts.urn, facts), { olds, news });
  expect(service.requests).to.deep.equal([]);
  const noted = run.noted.splice(0);
  return {
    ...{ inputs, problems },
    properties: problems.map(({ property }) => property),
    messages: noted.map(({ message }) => textOf(message)),
    codes: noted.map(({ message }) => message.code),
    urns: noted.map(({ urn }) => urn),
  };
}

const ofCar = (values: Properties, given?: Given) => checked(vehicle, { ...CAR, ...values }, given);
const ofRoof = (values: Properties, given?: Given) => checked(inverter, { ...ROOF, ...values }, given);

describe("check of a device", () => {
  it("warns of a resource that declares no setting, as with an unset configuration, unless it is switched off", async () => {
    const nothing = "nothing-declared";
    expect((await ofCar({ maxCapacity: undefined })).codes).to.deep.equal([nothing]);
    expect((await ofRoof({ latitude: 48 })).codes).to.deep.equal([nothing]);
    expect((await ofCar({ maxCapacity: UNKNOWN })).codes).to.not.include(nothing);
    expect((await ofCar({ ignoreLints: [nothing] })).codes).to.deep.equal([]);
  });

  it("gives good inputs back, with the business of the configuration, so that a change of it shows", async () => {
    const own = { businessId: "other", deviceId: "car", policy: "CHARGE BY", onDelete: "restore" };
    expect(await checked(vehicle, own)).to.deep.include({ inputs: own, problems: [], messages: [] });
    for (const given of [{ deviceId: "car" }, { deviceId: "car", businessId: undefined }]) {
      expect(await checked(vehicle, given)).to.deep.include({ inputs: CAR, problems: [] });
    }
  });

  it("reads a text with a unit as its number", async () => {
    const { inputs, problems } = await ofCar({ maxCapacity: "77 kWh" });
    expect({ inputs, problems }).to.deep.equal({ inputs: { ...CAR, maxCapacity: 77_000 }, problems: [] });
  });

  // settings/schema.test.ts tests which values are invalid.
  for (const [what, inputs, properties] of [
    [
      "every problem on its property, all at once",
      { deviceId: "", maxCapacity: 77, max_charge_power: 1 },
      ["deviceId", "maxCapacity", "max_charge_power"],
    ],
    ["null on the property", { deviceId: null, policy: null }, ["deviceId", "policy"]],
    ["a business that is null, whatever the configuration says", { businessId: null }, ["businessId"]],
    ["a misspelled property whose value is not known yet", { max_capacity: UNKNOWN }, ["max_capacity"]],
    ["what is wrong beside what is not known yet", { deviceId: UNKNOWN, maxCapacity: 77 }, ["maxCapacity"]],
    ...["deviceId", "businessId", "maxCapacity", "policy", "onDelete"].map(
      (key) => [`nothing where ${key} is not known yet`, { [key]: UNKNOWN }, []] as const,
    ),
  ] as [string, Properties, string[]][]) {
    it(`refuses ${what}`, async () => {
      expect((await checked(vehicle, { deviceId: "car", ...inputs })).properties).to.have.members(properties);
    });
  }

  it("counts the marker of the engine as unknown", () => expect(UNKNOWN).to.equal(pulumi.runtime.unknownValue));

  it("names the places for a missing business", async () => {
    const { problems } = await checked(vehicle, { deviceId: "car" }, { run: runOf(HOMELESS) });
    expect(problems.map(({ property }) => property)).to.deep.equal(["businessId"]);
    expect(problems[0]?.reason).to.contain("solar-charging:businessId").and.contain("SOLAR_CHARGING_BUSINESS_ID");
  });

  describe("with a configuration", () => {
    it("that is wrong, has one problem without a property for all of it, beside those of the inputs", async () => {
      const run = runOf({ SOLAR_CHARGING_BASE_URL: "http://api.example.com", SOLAR_CHARGING_MAX_CONCURRENCY: "0" });
      const { inputs, problems } = await checked(vehicle, { deviceId: "car", maxCapacity: 77 }, { run });
      expect(inputs).to.deep.equal({ deviceId: "car", maxCapacity: 77 });
      expect(problems.map(({ property }) => property)).to.have.members(["", "maxCapacity"]);
      const { reason } = problems.find(({ property }) => property === "") ?? {};
      expect(reason).to.match(/SOLAR_CHARGING_BASE_URL.*SOLAR_CHARGING_MAX_CONCURRENCY/);
    });

    it("that is wrong is named as the reader sets it", async () => {
      for (const [only, isNamed] of [
        ["true", false],
        ["", true],
      ] as const) {
        const run = runOf({
          ...{ ...COMPLETE, SOLAR_CHARGING_ENVIRONMENT_ONLY: only },
          SOLAR_CHARGING_BASE_URL: "http://api.example.com",
        });
        const { problems } = await checked(vehicle, CAR, { run });
        expect(problems.map(({ reason }) => reason.includes("solar-charging:"))).to.deep.equal([isNamed]);
      }
    });

    for (const [what, kind, environment, codes] of [
      ["lacks address and token, warns once", vehicle, { SOLAR_CHARGING_BUSINESS_ID: "acme" }, ["notSet"]],
      ["does not say the names of an inverter's settings, warns once", inverter, COMPLETE, ["inverterFieldsNotSet"]],
      ["confirms them, warns of nothing", inverter, CONFIRMED, []],
      ["does not say them, warns of nothing for a vehicle, whose names are documented", vehicle, COMPLETE, []],
    ] as const) {
      it(`that ${what}`, async () => {
        const run = runOf(environment);
        const noted = [];
        for (const deviceId of ["one", "two"]) {
          const { codes, problems } = await checked(kind, { deviceId, ignoreLints: ["nothing-declared"] }, { run });
          expect(problems).to.deep.equal([]);
          noted.push(...codes);
        }
        expect(new Set(noted)).to.deep.equal(new Set(codes));
        expect(run.shown).to.have.lengthOf(codes.length);
      });
    }
  });

  describe("claims a device's keys, of which", () => {
    const urnOf = (name: string) =>
      `urn:pulumi:dev::home::pulumi-nodejs:dynamic/solar-charging:VehicleSettings::${name}`;
    const declared = { maxCapacity: 77_000, policy: "CHARGE BY" };
    const pooled = async () => {
      const run = runOf(COMPLETE);
      const by = (name: string, values: Properties) => ofCar(values, { run, facts: { urn: urnOf(name) } });
      expect((await by("pool", declared)).problems).to.deep.equal([]);
      return { run, by };
    };

    it("one that another resource declares is refused, with that resource, whatever value it has", async () => {
      const { by } = await pooled();
      for (const policy of ["CHARGE BY", "CHARGE BY FORECAST", UNKNOWN]) {
        const { problems, messages } = await by("fleet", { maxChargePower: 50_000, policy });
        expect(problems.map(({ property }) => property)).to.deep.equal(["policy"]);
        expectFacts(problems[0]?.reason, ["VehicleSettings 'pool'"]);
        expect(messages, "nothing is said of what looks wrong").to.deep.equal([]);
      }
    });

    it("each stays the first one's, and the other's own keys are claimed too", async () => {
      const { run, by } = await pooled();
      await by("fleet", { maxChargePower: 11_000, policy: "CHARGE BY FORECAST" });
      expect(run.store.declared(CAR, "policy")?.values.policy).to.equal("CHARGE BY");
      expect(run.store.declared(CAR, "maxChargePower")?.values.maxChargePower).to.equal(11_000);
    });

    it("those of a resource that is checked again are the last ones, for example in a replacement", async () => {
      const { run, by } = await pooled();
      expect((await by("pool", { maxCapacity: 80_000 })).problems).to.deep.equal([]);
      expect(run.store.declared(CAR, "maxCapacity")?.values.maxCapacity).to.equal(80_000);
      expect(run.store.declared(CAR, "policy"), "what it no longer declares").to.equal(undefined);
    });

    it("another device's and another business's are other ones", async () => {
      const { by } = await pooled();
      for (const other of [{ deviceId: "van" }, { businessId: "other" }]) {
        expect((await by("fleet", { ...declared, ...other })).problems).to.deep.equal([]);
      }
    });

    it("a device may not be declared as two kinds", async () => {
      const { run } = await pooled();
      const { properties } = await checked(inverter, { ...CAR, tilt: 35 }, { run, facts: { urn: "urn:roof" } });
      expect(properties).to.deep.equal(["deviceId"]);
    });

    it("no key is refused if the resources are not known", async () => {
      const run = runOf(COMPLETE);
      for (const _ of ["first", "second"]) expect((await ofCar(declared, { run })).problems).to.deep.equal([]);
    });

    it("only accepted settings of known devices are claimed", async () => {
      for (const [values, claimed] of [
        [{ maxCapacity: 77_000, policy: UNKNOWN }, ["maxCapacity", "policy"]],
        [{ maxCapacity: 77_000, maxChargePower: 1 }, []],
        [{ maxCapacity: 77_000, businessId: UNKNOWN }, []],
        [{ maxCapacity: 77_000, deviceId: UNKNOWN }, []],
      ] as [Properties, string[]][]) {
        const run = runOf(COMPLETE);
        await ofCar(values, { run });
        const device = { ...CAR, ...values };
        const keys = ["maxCapacity", "maxChargePower", "policy"];
        expect(keys.filter((key) => run.store.declared(device, key))).to.deep.equal(claimed);
      }
    });
  });
});

describe("check of a device: what looks wrong", () => {
  it("is a warning for the resource, if that is known, that names the device, and no problem", async () => {
    for (const urn of ["urn:car", undefined]) {
      const { problems, codes, messages, urns } = await ofCar(FAST, { facts: { urn } });
      expect([problems, codes, urns]).to.deep.equal([[], ["direct-current-power"], [urn]]);
      expect(messages[0]).to.match(/^device 'car': .*50 kW/);
    }
    const { messages } = await ofCar({ ...FAST, deviceId: UNKNOWN });
    expect(messages[0]).to.match(/^maxChargePower 50 kW/);
  });

  for (const [what, values, count] of [
    ["of a resource that is refused", { ...FAST, maxCapacity: 77 }, 0],
    ["of what is not known yet", { ...QUIET, maxCapacity: UNKNOWN }, 0],
    ["of the rest", { ...FAST, maxCapacity: UNKNOWN }, 1],
    ["of a device whose business is not known yet", { ...FAST, businessId: UNKNOWN }, 1],
    ["where it is switched off", { ...FAST, ignoreLints: [ALONE, "direct-current-power"] }, 0],
  ] as const) {
    it(`is ${count ? "said" : "not said"} ${what}`, async () => {
      expect((await ofCar(values)).messages).to.have.lengthOf(count);
    });
  }

  it("of an azimuth is reported with the latitude", async () => {
    const facing = (latitude: number) => ofRoof({ ...WHOLE, azimuth: "N", latitude });
    expect((await facing(51)).messages).to.have.lengthOf(1);
    expect((await facing(-34)).messages).to.deep.equal([]);
  });

  it("of the policy is reported once, until the policy or its needs change", async () => {
    const codes = async (values: Properties, before: Properties) => {
      return (await ofCar(values, { olds: { ...CAR, ...values, ...before } })).codes;
    };
    const [unknown, silent] = [omit<unknown>(FORECAST, ["maxCapacity"]), omit<unknown>(FORECAST, ["policy"])];
    for (const [values, before, expected] of [
      [FORECAST, {}, []],
      [FORECAST, { policy: "CHARGE BY" }, [ALONE]],
      [{ ...FORECAST, ignoreLints: [ALONE] }, { policy: "CHARGE BY" }, []],
      [FORECAST, { deviceId: "another" }, [ALONE]],
      [FORECAST, { businessId: "another" }, [ALONE]],
      [{ ...FORECAST, policy: "CHARGE BY" }, { policy: "CHARGE BY FORECAST" }, ["ignored-metadata"]],
      [unknown, {}, []],
      [unknown, FORECAST, ["forecast-without-metadata"]],
      [silent, {}, []],
      [silent, { maxCapacity: 60_000 }, ["ignored-metadata"]],
      [{ ...FORECAST, maxChargePower: 50_000 }, {}, ["direct-current-power"]],
      [{ ...FORECAST, policy: UNKNOWN }, { policy: "CHARGE BY" }, []],
    ] as [Properties, Properties, string[]][]) {
      expect(await codes(values, before), JSON.stringify([values, before])).to.deep.equal(expected);
    }
    expect((await ofCar({ ...FORECAST, policy: "CHARGE BY" })).codes).to.not.include(ALONE);
  });
});

describe("check of a device: planes", () => {
  const { peakPower: _, azimuth: __, tilt: ___, ...rest } = WHOLE;
  const planes = [90, 270].map((azimuth) => ({ peakPower: 5000, azimuth, tilt: 15 }));

  for (const [what, values, facts, codes] of [
    ["says which plane is sent for several", { planes }, {}, ["foldedPlanes"]],
    ["says nothing of one plane", { planes: planes.slice(1) }, {}, []],
    ["says nothing of planes that are a secret", { planes }, { secrets: new SecretInputs(["planes"]) }, []],
    ["says nothing of planes that are not known yet", { planes: UNKNOWN }, {}, []],
    ["says nothing of planes at a place that is not known yet", { planes, latitude: UNKNOWN }, {}, []],
  ] as [string, Properties, Partial<Context>, string[]][]) {
    it(what, async () => {
      const found = await ofRoof({ ...rest, ...values }, { facts });
      expect([found.problems, found.codes]).to.deep.equal([[], codes]);
    });
  }
});

describe("check of a device: options", () => {
  const OPTIONS = { ignoreLints: ["flat-tilt"], latitude: 51, onDelete: "restore" };

  it("are kept as they are given, of a resource that is refused too", async () => {
    for (const tilt of [35, 91]) {
      const inputs = { ...ROOF, ...WHOLE, ...OPTIONS, tilt };
      expect((await ofRoof(inputs)).inputs, String(tilt)).to.deep.equal(inputs);
    }
  });

  it("may be unknown", async () => {
    const given = { ...ROOF, latitude: UNKNOWN, ignoreLints: [UNKNOWN] };
    const { inputs, problems } = await ofRoof(given);
    expect({ inputs, problems }).to.deep.equal({ inputs: { ...given, ignoreLints: UNKNOWN }, problems: [] });
  });

  for (const [kind, wrong, reason] of [
    [vehicle, { ignoreLints: ["default-capacty"] }, /default-capacity\?/],
    [vehicle, { ignoreLints: "default-capacity" }, /list.*\["default-capacity"\]/],
    [inverter, { latitude: "51" }, /"51°"/],
  ] as const) {
    it(`are refused with a reason if they are ${JSON.stringify(wrong)}`, async () => {
      const { problems, properties } = await checked(kind, { ...CAR, ...wrong });
      expect(properties).to.deep.equal(Object.keys(wrong));
      expect(problems[0]?.reason).to.match(reason);
    });
  }
});

describe("check of a device: a secret", () => {
  const secrets = new SecretInputs(["maxChargePower"]);

  it("has warnings that show no value, and say which lint found something", async () => {
    const live = { vehicle: { values: { maxChargePower: 61_234 } } };
    const { messages } = await ofCar({ ...FAST, maxChargePower: 51_234 }, { facts: { secrets, live } });
    expect(messages).to.have.lengthOf(2);
    expect(messages[0]).to.contain("maxChargePower").and.contain('ignoreLints: ["direct-current-power"]');
    for (const text of messages) expect(text).to.not.match(/51234|61234/);
  });

  it("is refused without its value and without the reason, which the engine does not get on the property", async () => {
    const { problems } = await ofCar({ ...FAST, maxChargePower: 999_999 }, { facts: { secrets } });
    const [failure] = problems.map(failureOf);
    expect(failure).to.include({ property: "" });
    expect(failure?.reason)
      .to.match(/^maxChargePower /)
      .and.not.contain("999");
  });

  it("is not shown by the problem of a setting that has to be below it", async () => {
    const facts = { secrets: new SecretInputs(["peakPower"]) };
    const { problems } = await ofRoof({ ...WHOLE, peakPower: 1_234, cutInThreshold: 1_235 }, { facts });
    expect(problems.map(({ property }) => property)).to.deep.equal(["cutInThreshold"]);
    expect(problems[0]?.reason).to.not.contain("1234");
  });
});

describe("check of a device: what a live preview found", () => {
  const urn = "urn:car";
  const values = { maxCapacity: 55_000, maxChargePower: 11_000, policy: "CHARGE BY" };
  const live = { vehicle: { values } };

  it("is a warning for the resource if something is wrong with the device, unless it is refused", async () => {
    const facts = { urn, live: { vehicle: { problem: said("there is no device 'car'") } } };
    const { problems, messages, urns } = await ofCar(QUIET, { facts });
    expect([problems, messages, urns]).to.deep.equal([[], ["device 'car': there is no device 'car'"], [urn]]);
    expect((await ofCar({ maxCapacity: 77 }, { facts })).messages).to.deep.equal([]);
  });

  it("is a warning for each value that differs from what is in state, whatever is declared", async () => {
    const olds = { ...CAR, ...FORECAST, maxCapacity: 60_000 };
    const { codes, messages, urns } = await ofCar(QUIET, { facts: { urn, live }, olds });
    expect([codes, urns]).to.deep.equal([
      ["driftInCache", "driftInCache"],
      [urn, urn],
    ]);
    expect(messages[0]).to.match(/maxCapacity.*55 kWh.*60 kWh/);
    expect(messages[1]).to.match(/policy.*CHARGE BY.*CHARGE BY FORECAST/);
  });

  it("is a warning for each value that differs from what is declared for the first time", async () => {
    const declared = { maxCapacity: 60_000, maxChargePower: 11_000 };
    for (const olds of [{}, { ...CAR, policy: "CHARGE BY" }, { ...CAR, deviceId: "van", maxCapacity: 60_000 }]) {
      const { codes, messages } = await ofCar(declared, { facts: { live }, olds });
      expect(codes.at(-1)).to.equal("differsInCache");
      expect(messages.at(-1)).to.match(/maxCapacity.*55 kWh.*60 kWh/);
    }
  });

  it("is nothing for a setting whose value is the one in state, whatever is declared", async () => {
    const olds = { ...CAR, ...values };
    expect((await ofCar({ maxCapacity: 60_000 }, { facts: { live }, olds })).codes).to.not.include("differsInCache");
  });

  it("is nothing for a setting that is neither in state nor declared, not known yet, or not read", async () => {
    for (const [declared, found] of [
      [{ policy: "CHARGE BY" }, live],
      [{ maxCapacity: UNKNOWN }, live],
      [QUIET, {}],
      [QUIET, { vehicle: undefined }],
    ] as [Properties, Context["live"]][]) {
      expect((await ofCar(declared, { facts: { live: found } })).messages).to.deep.equal([]);
    }
  });
});

describe("check of a device: an azimuth", () => {
  for (const [given, bearing] of [
    ["SSW", 202.5],
    [{ degrees: -45, convention: "south-zero" }, 135],
    [{ degrees: -90, convention: "solcast" }, 90],
    [180, 180],
    [{ degrees: UNKNOWN, convention: "south-zero" }, UNKNOWN],
  ] as const) {
    it(`given as ${JSON.stringify(given)} is passed on as ${bearing}`, async () => {
      const { inputs, problems } = await ofRoof({ ...WHOLE, azimuth: given });
      expect({ inputs, problems }).to.deep.equal({ inputs: { ...ROOF, ...WHOLE, azimuth: bearing }, problems: [] });
    });
  }

  it("that cannot be read is refused as it was given", async () => {
    const { inputs, properties } = await ofRoof({ azimuth: "SSV" });
    expect(inputs).to.include({ azimuth: "SSV" });
    expect(properties).to.deep.equal(["azimuth"]);
  });
});
