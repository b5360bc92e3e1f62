import { expect } from "chai";
import { check } from "../../../../provider/lifecycle/device/check";
import type { Context } from "../../../../provider/lifecycle/run/context";
import { SecretInputs } from "../../../../provider/lifecycle/run/secretInputs";
import type { Properties } from "../../../../provider/settings/objects";
import { omit, UNKNOWN } from "../../../../provider/settings/objects";
import { gapInWords } from "../../../../provider/settings/readiness";
import type { Values } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { virtualClock } from "../../../support/clock";
import { expectFacts, expectLike } from "../../../support/facts";
import { contextOf, FakeService, said } from "../../../support/fakes";
import {
  appliedSite,
  CAR_VALUES,
  FORECAST,
  ROOF_VALUES,
  refOf,
  SITE,
  SiteStack,
  siteService,
  urnOf,
} from "../../../support/sites";

const { a, b } = SITE.vehicles;
const { p, q } = SITE.inverters;
const LACKING = { ...SITE, inverters: { q, p: omit(p as Record<string, unknown>, ["tilt"]) } };

/** The keys of a check while only the update knows them. */
const UNKNOWN_PLAN = { ready: UNKNOWN, gaps: UNKNOWN, missing: UNKNOWN, policies: UNKNOWN };

/** The check of a site that is not in state. */
async function checked(args: Properties, facts: Partial<Context> = {}, environment: NodeJS.ProcessEnv = {}) {
  const service = new FakeService();
  const site = new SiteStack(service, environment);
  const run = site.run();
  const { inputs, problems } = await site.check(args, run, facts);
  const codes = run.noted.filter(({ kind }) => kind === "warn").map(({ message }) => message.code);
  expect(service.requests).to.deep.equal([]);
  return { inputs, problems, codes, shown: run.shown, properties: problems.map(({ property }) => property), run };
}

describe("the arguments of a site", () => {
  const own = { ...a, businessId: "north" };
  const unknown = { deviceId: UNKNOWN, ...CAR_VALUES };
  const elsewhere = { ...a, businessId: UNKNOWN };
  const observed = { deviceId: "roof-p", observe: true };
  const named = (length: number) => ({ vehicles: { ["n".repeat(length)]: a } });
  const homeless = { SOLAR_CHARGING_BUSINESS_ID: undefined };

  for (const [what, args, refused, environment] of [
    [
      "that are wrong, by their path",
      { ...SITE, solar: "yes", latitude: 91, requireReady: 1, onDelete: "drop", ignoreLints: "all", size: 3 },
      ["solar", "latitude", "requireReady", "onDelete", "ignoreLints", "size"],
    ],
    [
      "of another shape",
      { vehicles: [a], inverters: { p: "roof-p", "": p } },
      ["vehicles", "inverters.p", "inverters."],
    ],
    [
      "of its devices, by their path, also a misspelled key",
      {
        vehicles: { a: { ...a, maxCapacty: 1 }, b: { ...b, maxCapacity: 77 }, c: {}, d: {} },
        inverters: { p: { ...p, tilt: "steep" }, q: { ...q, businessId: 5 } },
      },
      [
        ...["vehicles.a.maxCapacty", "vehicles.b.maxCapacity", "vehicles.c.deviceId", "vehicles.d.deviceId"],
        ...["inverters.p.tilt", "inverters.q.businessId"],
      ],
    ],
    [
      "with a misspelled key, beside the problems of its devices",
      { vehicels: {}, vehicles: { a: { ...a, maxCapacity: 77 } } },
      ["vehicels", "vehicles.a.maxCapacity"],
    ],
    [
      "without a usable configuration, beside the problems of its devices",
      { vehicles: { a: { ...own, maxCapacity: 77 } } },
      ["", "vehicles.a.maxCapacity"],
      { ...homeless, SOLAR_CHARGING_MAX_CONCURRENCY: "many" },
    ],
    [
      "without a usable configuration, which may have a business",
      { vehicles: { a, b }, inverters: { p } },
      [""],
      { ...homeless, SOLAR_CHARGING_MAX_CONCURRENCY: "many" },
    ],
    ["with a name of 256 characters", named(256), []],
    ["with a longer name", named(257), [`vehicles.${"n".repeat(257)}`]],
    ["with a device without a business", { vehicles: { a: own, b } }, ["vehicles.b.businessId"], homeless],
    ["without a business, if each device has one", { vehicles: { a: own } }, [], homeless],
    ["with a business for all devices", { vehicles: { b }, businessId: "south" }, [], homeless],
    ["with one device twice", { vehicles: { one: a, two: { ...a, maxCapacity: 1001 } } }, ["vehicles.two.deviceId"]],
    [
      "with one device twice, once observed",
      { vehicles: { one: a, two: { ...a, observe: true, maxCapacity: undefined, maxChargePower: undefined } } },
      ["vehicles.two.deviceId"],
    ],
    [
      "with one device twice, and other keys",
      { vehicles: { one: omit<unknown>(a, ["maxCapacity"]), two: omit<unknown>(a, ["maxChargePower"]) } },
      ["vehicles.two.deviceId"],
    ],
    [
      "with one device as a car and as an inverter",
      { vehicles: { a }, inverters: { p: { ...p, deviceId: "car-a" } } },
      ["vehicles.a.deviceId"],
    ],
    ["with one device in two businesses", { vehicles: { one: a, two: own } }, []],
    ["with devices that are not known yet", { vehicles: { one: unknown, two: unknown } }, []],
    ["with cars that are not known yet, and get a policy", { ...SITE, vehicles: { one: unknown, two: unknown } }, []],
    [
      "with cars of a business that is not known yet, and that get a policy",
      { ...SITE, vehicles: { one: elsewhere, two: elsewhere } },
      [],
    ],
    ["with groups of them", { vehicles: { one: UNKNOWN, two: UNKNOWN } }, []],
    ["with a business that is not known yet", { vehicles: { one: elsewhere, two: elsewhere } }, []],
    [
      "beside what is not known yet",
      { ...SITE, vehicles: { a: { deviceId: UNKNOWN, maxCapacity: 77 } }, inverters: UNKNOWN },
      ["vehicles.a.maxCapacity"],
    ],
    [
      "whose ids are no texts, once each",
      { vehicles: { one: { ...a, deviceId: 7 }, two: { ...a, deviceId: 7 } } },
      ["vehicles.one.deviceId", "vehicles.two.deviceId"],
    ],
    [
      "with settings of a device that is only observed",
      { inverters: { p: { ...observed, tilt: 30, onDelete: "restore", ignoreLints: [] } } },
      ["inverters.p.tilt", "inverters.p.onDelete", "inverters.p.ignoreLints"],
    ],
    ["which it does not know to observe", { inverters: { p: { ...p, observe: UNKNOWN } } }, ["inverters.p.observe"]],
    ["with a latitude of one inverter", { inverters: { p: { ...p, latitude: 50 } } }, ["inverters.p.latitude"]],
    ["that has to be ready and lacks something", { ...LACKING, requireReady: true }, ["requireReady"]],
    ["that has to be ready and has no inverter", { vehicles: { a }, requireReady: true }, ["requireReady"]],
    ["that has to be ready and is not solar", { ...SITE, solar: false, requireReady: true }, ["requireReady"]],
    ["that has to be ready and is", { ...SITE, requireReady: true }, []],
    ["that lacks something and may", { ...LACKING, requireReady: false }, []],
  ] as [string, Properties, string[], NodeJS.ProcessEnv?][]) {
    it(`${refused.length > 0 ? "refuse" : "accept"} a site ${what}`, async () => {
      expect((await checked(args, {}, environment)).properties).to.have.members(refused);
    });
  }

  it("give each inverter the latitude of the site, for what looks wrong by it", async () => {
    const north = { p: { ...p, azimuth: 60 }, q: { ...q, azimuth: 60 } };
    const warned = async (args: Properties) => (await checked({ vehicles: { a }, ...args })).shown.length;
    const anywhere = await warned({ inverters: north });
    expect(await warned({ inverters: north, latitude: 52.5 })).to.be.above(anywhere);
    expect(await warned({ inverters: north, latitude: -33 })).to.equal(anywhere);
  });

  it("warn of names of inverters' fields that nobody confirmed only if the site has an inverter", async () => {
    for (const [args, count] of [
      [{ vehicles: { a }, solar: false }, 0],
      [{ vehicles: { a }, inverters: {}, solar: false }, 0],
      [SITE, 1],
      [{ vehicles: { a }, inverters: UNKNOWN }, 1],
    ] as [Properties, number][]) {
      const { shown } = await checked(args, {}, { SOLAR_CHARGING_INVERTER_FIELDS: undefined });
      expect(shown).to.have.lengthOf(count);
    }
  });

  it("leave a device that is only observed out of what looks wrong with the site", async () => {
    const double = { p, q: { ...q, baseLoad: 400 } };
    expect((await checked({ vehicles: { a }, inverters: double })).shown).to.have.lengthOf(1);
    const one = { p, q: { deviceId: "roof-q", observe: true } };
    expect((await checked({ vehicles: { a }, inverters: one })).shown).to.deep.equal([]);
    const hungry = { p: { ...p, baseLoad: 9000 }, q: { ...q, baseLoad: 11_000 } };
    const watched = { ...hungry, r: { deviceId: "roof-r", observe: true } };
    for (const inverters of [hungry, watched]) {
      const { codes } = await checked({ vehicles: { a }, inverters, ignoreLints: ["base-load-above-peak"] });
      expect(codes).to.include("base-load-above-site");
    }
  });

  it("name the other device, or the gaps, in the reason of a refusal", async () => {
    const reasonsOf = async (args: Properties) => (await checked(args)).problems.map(({ reason }) => reason).join();
    expect(await reasonsOf({ vehicles: { one: a, two: a } })).to.contain("vehicle/one");
    expect(await reasonsOf({ ...LACKING, requireReady: true })).to.contain("inverter/p: tilt");
  });

  it("show the plane that is sent for several, by device, until it stays the same", async () => {
    const roof = (tilt: number) => {
      const { tilt: _, azimuth, peakPower, ...rest } = p;
      return { ...rest, planes: [90, 270].map((bearing) => ({ peakPower, azimuth: bearing, tilt })) };
    };
    const site = new SiteStack(new FakeService());
    const folded = async (tilt: number) => {
      const run = site.run();
      site.inputs = (await site.check({ vehicles: { a }, inverters: { p: roof(tilt) } }, run)).inputs;
      return run.noted.flatMap(({ message, urn }) =>
        message.code === "foldedPlanes" ? [[message.device, message.setting, urn]] : [],
      );
    };
    const shown = [["inverter/p", "planes", urnOf("home")]];
    expect(await folded(15)).to.deep.equal(shown);
    expect(await folded(15)).to.deep.equal([]);
    expect(await folded(30)).to.deep.equal(shown);
  });
});

describe("check of a site", () => {
  it("gives the inputs of the program, in units of the settings, and what the site will be", async () => {
    const { inputs, properties, shown } = await checked({
      ...SITE,
      vehicles: { a: { deviceId: "car-a", maxCapacity: "77 kWh", maxChargePower: "11 kW" } },
      inverters: { p: { ...p, azimuth: "S", peakPower: "9.8 kWp" } },
      latitude: "52.5°",
      onDelete: "restore",
    });
    expect([properties, shown]).to.deep.equal([[], []]);
    expect(inputs).to.deep.equal({
      vehicles: { a: { deviceId: "car-a", ...CAR_VALUES } },
      inverters: { p: { deviceId: "roof-p", ...ROOF_VALUES } },
      ...{ latitude: 52.5, businessId: "acme", onDelete: "restore" },
      ...{ policies: { a: FORECAST }, ready: true, gaps: [], missing: [] },
    });
  });

  // laws/ignoreChanges.test.ts has the laws: a second check finds the same, and drops the keys that the first one
  // added.
  it("drops what an earlier check has added, which the engine puts back with ignoreChanges", async () => {
    const { inputs } = await checked(LACKING);
    const stale = { policies: { a: FORECAST, gone: FORECAST }, ready: true, gaps: [], missing: [] };
    expect((await checked({ ...LACKING, ...stale })).inputs).to.deep.equal(inputs);
  });

  it("prefers a device's business and onDelete to those of its site", async () => {
    const own = { ...a, businessId: "north", onDelete: "retain" };
    const { inputs } = await checked({ vehicles: { a: own, b }, businessId: "south", onDelete: "restore" });
    expect(inputs).to.include({ businessId: "south", onDelete: "restore" });
    expect(inputs.vehicles).to.deep.equal({ a: own, b });
    const site = new SiteStack(siteService());
    site.service.put({ businessId: "north", deviceId: "car-a" }, { id: "car-a" }).put(refOf("car-b"), { id: "b" });
    await site.up({ vehicles: { a: { ...a, businessId: "north" }, b } });
    const devices = site.service.requests.map((request) => request.split(" ")[1]);
    expect(new Set(devices)).to.deep.equal(new Set(["north/car-a", "acme/car-b"]));
  });

  describe("of readiness", () => {
    it("reports all gaps in one warning, and gives no car its policy", async () => {
      const vehicles = { a, b: omit(b as Record<string, unknown>, ["maxCapacity"]) };
      const live = { "vehicle/b": { values: {} } };
      const { inputs, codes, shown } = await checked({ ...LACKING, vehicles }, { live });
      expect(codes).to.deep.equal(["notReady"]);
      expect(shown).to.have.lengthOf(1);
      expect(shown[0]).to.contain("inverter/p: tilt ").and.contain("vehicle/b: maxCapacity ");
      expect(inputs).to.include({ ready: false }).and.not.have.property("policies");
      expect(inputs.gaps).to.have.deep.members([
        { device: "inverter/p", setting: "tilt", reason: "notDeclared" },
        { device: "vehicle/b", setting: "maxCapacity", reason: "assumed" },
      ]);
    });

    const silent = { ...SITE, vehicles: { a, b: { deviceId: "car-b", maxChargePower: 11_000 } } };
    const watched = { ...SITE, inverters: { p: { deviceId: "roof-p", observe: true } } };
    for (const [what, args] of [
      ["whether a car that declares no capacity reports it", silent],
      ["what an observed device reports", watched],
    ] as const) {
      it(`does not know before the first read ${what}: it supposes the best, and says nothing of ready`, async () => {
        const { inputs, properties, shown } = await checked({ ...args, requireReady: true });
        expect([properties, shown]).to.deep.equal([[], []]);
        expect(inputs).to.not.have.any.keys("ready", "gaps", "missing");
        expect(inputs.policies).to.deep.equal({ a: FORECAST, b: FORECAST });
      });
    }

    it("knows before that read what is missing beside it: the site is not ready, whatever the car reports", async () => {
      const vehicles = { a, b: { deviceId: "car-b", maxChargePower: 11_000 } };
      const tilt = { device: "inverter/p", setting: "tilt", reason: "notDeclared" as const };
      const { inputs } = await checked({ ...LACKING, vehicles });
      expect(inputs).to.deep.include({ ready: false, gaps: [tilt], missing: [gapInWords(tilt)] });
      expect(inputs).to.not.have.property("policies");
      const site = new SiteStack(siteService());
      await site.up({ ...LACKING, vehicles });
      const declared = site.inputs;
      await site.refresh();
      expect(site.inputs).to.deep.equal(declared);
      const unknown = await checked({ ...LACKING, vehicles: UNKNOWN });
      expect(unknown.inputs).to.include(UNKNOWN_PLAN);
    });

    it("counts what a live preview shows of such a car", async () => {
      const live = (values: Values) => ({ live: { "vehicle/b": { values } } });
      const { inputs, codes } = await checked(silent, live({ maxCapacity: 60_000 }));
      expect(codes).to.not.include("notReady");
      const { policies, ...readiness } = UNKNOWN_PLAN;
      expect(inputs, "an update plan lets the update add them").to.include(readiness);
      const given = (await checked(silent)).inputs.policies;
      expect(inputs.policies, "a review shows the policy that the update sends").to.deep.equal(given);
      expect((await checked(SITE, live({ maxCapacity: 60_000 }))).inputs, "all declared").to.include({ ready: true });
      expect((await checked({ ...silent, requireReady: true }, live({}))).properties).to.deep.equal(["requireReady"]);
    });

    it("warns of a site that declares no setting, unless a device is observed, or it is switched off", async () => {
      const nothing = "nothing-declared";
      const car = { deviceId: "car-a" };
      for (const [args, warns] of [
        [{}, true],
        [{ vehicles: { car } }, true],
        [{ vehicles: { car }, ignoreLints: [nothing] }, false],
        [{ vehicles: { car: { ...car, observe: true } } }, false],
        [{ vehicles: { car: { ...car, policy: UNKNOWN } } }, false],
        [{ vehicles: UNKNOWN }, false],
        [SITE, false],
      ] as const) {
        expect((await checked(args)).codes.includes(nothing), JSON.stringify(args)).to.equal(warns);
      }
    });

    it("leaves policies alone with solar: false, or without inverters, and reports no gaps", async () => {
      for (const args of [{ ...SITE, solar: false }, { vehicles: { a } }]) {
        const { inputs, codes } = await checked(args);
        expect(inputs).to.include({ ready: false }).and.not.have.property("policies");
        expect(codes).to.not.include("notReady");
      }
    });

    it("reports once that a site has no inverter, or that its cars declare their policy, and warns of a forecast alone", async () => {
      const plain = { vehicles: { a } };
      const own = { ...SITE, vehicles: { a: { ...a, policy: "CHARGE BY" } } };
      const blind = { vehicles: { a: { ...a, policy: FORECAST } } };
      for (const [args, olds, codes] of [
        [plain, undefined, ["noInverter"]],
        [plain, SITE, ["noInverter"]],
        [plain, plain, []],
        [blind, plain, ["forecast-without-inverter"]],
        [{ ...blind, solar: false }, undefined, ["forecast-without-inverter"]],
        [blind, blind, []],
        [{ ...blind, ignoreLints: ["forecast-without-inverter"] }, plain, []],
        [{ ...blind, inverters: SITE.inverters }, plain, []],
        [own, undefined, ["ownPolicies"]],
        [own, { ...own, inverters: {} }, ["ownPolicies"]],
        [own, { ...own, solar: false }, ["ownPolicies"]],
        [own, own, []],
        [{ ...own, solar: false }, undefined, []],
        [{ ...own, vehicles: { ...own.vehicles, b: { deviceId: "b" } } }, undefined, []],
        [{ ...own, vehicles: { a: { ...a, policy: "CHARGE BY FORECAST" } } }, undefined, []],
        [{ ...own, vehicles: { a: { ...a, policy: UNKNOWN } } }, undefined, []],
        [{ inverters: SITE.inverters }, undefined, []],
        ...[SITE, {}, { ...plain, solar: false }, { ...plain, solar: true }, { vehicles: UNKNOWN }].map(
          (other) => [other, undefined, []] as const,
        ),
      ] as [Properties, Properties | undefined, string[]][]) {
        const site = new SiteStack(new FakeService());
        site.inputs = olds;
        const run = site.run();
        await site.check(args, run);
        const hints = ["noInverter", "ownPolicies", "forecast-without-inverter"];
        const found = run.noted.filter(({ message }) => hints.includes(message.code));
        expect(found.map(({ message }) => message.code)).to.deep.equal(codes);
        for (const { kind, message } of found) expect(kind).to.equal(message.code.includes("-") ? "warn" : "info");
      }
    });

    it("plans the policy that the site gave a car, by its id, also if the site is not ready any more", async () => {
      const site = new SiteStack(new FakeService());
      // The policy of a car is not that of an inverter of the same name.
      const before = { vehicles: { p: a, b: { ...b, policy: "CHARGE BY" } }, inverters: SITE.inverters };
      site.inputs = (await site.check(before)).inputs;
      const policiesOf = async (vehicles: Properties) => (await site.check({ ...LACKING, vehicles })).inputs.policies;
      expect(await policiesOf({ one: a, p: { ...a, deviceId: "car-c" } })).to.deep.equal({ one: FORECAST });
      expect(await policiesOf({ b })).to.equal(undefined);
    });

    it("leaves out a car that declares its policy", async () => {
      const own = { deviceId: "car-b", policy: "CHARGE BY" };
      const { inputs } = await checked({ ...SITE, vehicles: { a, b: own } });
      expect(inputs).to.deep.include({ ready: true, vehicles: { a, b: own }, policies: { a: FORECAST } });
    });

    it("counts values that are not known yet as declared", async () => {
      const unknown = { deviceId: UNKNOWN, maxCapacity: UNKNOWN, maxChargePower: UNKNOWN };
      const { inputs, properties, shown } = await checked({ ...SITE, vehicles: { a: unknown }, requireReady: true });
      expect([properties, shown]).to.deep.equal([[], []]);
      expect(inputs).to.deep.include({ ready: true, vehicles: { a: unknown }, policies: { a: FORECAST } });
    });

    for (const [what, unknown] of Object.entries({
      "all vehicles are": { vehicles: UNKNOWN },
      "all inverters are": { inverters: UNKNOWN },
      "a whole vehicle is": { vehicles: { a, b: UNKNOWN } },
      "solar is": { solar: UNKNOWN },
    })) {
      it(`refuses and warns of nothing while ${what} not known yet, and lets an update plan add the rest`, async () => {
        const { inputs, properties, codes } = await checked({ ...LACKING, ...unknown, requireReady: true });
        expect(properties).to.deep.equal([]);
        expect(codes).to.not.include("notReady");
        expect(inputs).to.deep.include({ ...unknown, ...UNKNOWN_PLAN });
      });
    }
  });

  describe("of a live preview", () => {
    const swapped = {
      "inverter/p": { problem: said("it is a vehicle") },
      "vehicle/a": { problem: said("it is an inverter") },
    };

    it("makes a site of swapped ids not ready, and warns of each device with the site's resource", async () => {
      const { inputs, shown } = await checked(SITE, { live: swapped, isPreview: true });
      expect(inputs).to.include({ ready: false });
      expect(inputs.gaps).to.have.deep.members(
        Object.keys(swapped).map((device) => ({ device, setting: "deviceId", reason: "otherDevice" })),
      );
      expect(inputs).to.not.have.property("policies");
      for (const [label, { problem }] of Object.entries(swapped))
        expect(shown).to.include(`${label}: ${problem.finding}`);
    });

    it("refuses it with requireReady", async () => {
      const { properties } = await checked({ ...SITE, requireReady: true }, { live: swapped });
      expect(properties).to.deep.equal(["requireReady"]);
    });

    it("counts what observed devices report", async () => {
      const inverters = { p: { deviceId: "roof-p", observe: true } };
      const reported = omit(ROOF_VALUES as Record<string, number>, ["tilt"]);
      const { inputs } = await checked({ ...SITE, inverters }, { live: { "inverter/p": { values: reported } } });
      expect(inputs.gaps).to.deep.equal([{ device: "inverter/p", setting: "tilt", reason: "notReported" }]);
    });
  });
});

describe("check of a site: warnings and secrets", () => {
  it("ignores a lint of a device that the site ignores", async () => {
    const vehicles = { a: { ...a, maxChargePower: 50_000 } };
    expect((await checked({ ...SITE, vehicles })).codes).to.include("direct-current-power");
    expect((await checked({ ...SITE, vehicles, ignoreLints: ["direct-current-power"] })).codes).to.deep.equal([]);
  });

  it("refuses a reset of inverters, also if the site declares it, but not of observed ones", async () => {
    const { properties } = await checked({ ...SITE, onDelete: "reset" });
    expect(properties).to.deep.equal(["inverters.p.onDelete", "inverters.q.onDelete"]);
    const inverters = { p: { deviceId: "roof-p", observe: true } };
    expect((await checked({ ...SITE, inverters, onDelete: "reset" })).properties).to.deep.equal([]);
  });

  describe("of a device that is declared twice", () => {
    it("refuses it between a site and another resource", async () => {
      const { run } = await checked(SITE);
      const twice = { ...refOf("car-a"), policy: "CHARGE BY" };
      const { problems } = await check(vehicle, run, contextOf("urn:car"), { olds: {}, news: twice });
      expect(problems.map(({ property }) => property)).to.deep.equal(["policy"]);
      expectFacts(problems[0]?.reason, ["vehicle/a", "SiteSettings 'home'"]);
    });

    it("accepts a policy that another resource declares if the site is not solar", async () => {
      const site = new SiteStack(new FakeService());
      const run = site.run();
      await check(vehicle, run, contextOf("urn:car", { name: "car" }), {
        olds: {},
        news: { ...refOf("car-a"), policy: "CHARGE BY" },
      });
      const { problems } = await site.check(SITE, run);
      expect(problems.map(({ property }) => property)).to.deep.equal(["vehicles.a"]);
      expect(problems[0]?.reason).to.contain("VehicleSettings 'car'");
      expect((await site.check({ ...SITE, solar: false }, run)).problems).to.deep.equal([]);
    });
  });

  describe("of secrets", () => {
    it("shows no secret in a warning or a problem of a device", async () => {
      const site = new SiteStack(new FakeService());
      const secrets = new SecretInputs(["vehicles.a.maxChargePower", "inverters.q"]);
      const given = {
        vehicles: { a: { ...a, maxChargePower: 51_234 } },
        inverters: { p, q: { ...q, baseLoad: 6_789 } },
      };
      const run = site.run();
      await site.check(given, run, { secrets });
      expect(run.shown.join("\n")).to.contain("vehicle/a: maxChargePower ").and.contain("inverter/q: baseLoad ");
      expect(run.shown.join("\n")).to.not.match(/51234|6789/);
      const { problems } = await site.check({ ...given, vehicles: { a: { ...a, maxChargePower: 99 } } }, run, {
        secrets,
      });
      expect(problems.map(({ property, isSecret }) => [property, isSecret])).to.deep.equal([
        ["vehicles.a.maxChargePower", true],
      ]);
    });
  });

  describe("of what looks wrong", () => {
    it("warns of each device by its label, and of the site as a whole, with its resource", async () => {
      const site = new SiteStack(new FakeService());
      const run = site.run();
      const inverters = { p, q: { ...q, baseLoad: 400 } };
      await site.check({ vehicles: { a: { ...a, maxChargePower: 50_000 } }, inverters }, run);
      expect(new Set(run.noted.map(({ urn }) => urn))).to.deep.equal(new Set([urnOf("home")]));
      const [ofCar, ofSite, ...others] = run.shown;
      expect(ofCar).to.match(/^vehicle\/a: maxChargePower 50 kW/);
      expect(ofSite).to.contain("inverter/p and inverter/q");
      expect(others).to.deep.equal([]);
    });

    it("counts a base load of 0 as low only if no inverter of the site has another", async () => {
      expect((await checked(SITE)).shown).to.deep.equal([]);
      const { shown } = await checked({ ...SITE, inverters: { p: { ...p, baseLoad: 0 }, q } });
      expect(shown.map((text) => text.slice(0, "inverter/p".length))).to.deep.equal(["inverter/p", "inverter/q"]);
    });

    it("does not report lints that the site or the device switches off", async () => {
      const wrong = {
        vehicles: { a: { ...a, maxChargePower: 50_000, ignoreLints: ["direct-current-power"] } },
        inverters: { p, q: { ...q, baseLoad: 400 } },
      };
      const { shown } = await checked({ ...wrong, ignoreLints: ["repeated-base-load"] });
      expect(shown).to.deep.equal([]);
    });
  });
});

describe("preview of a site", () => {
  virtualClock();

  it("reports the changes of all devices in one message, and nothing if no device changes", async () => {
    const { site } = await appliedSite();
    expect((await site.preview(SITE)).shown).to.deep.equal([]);
    const { changes, shown } = await site.preview({
      vehicles: { van: a, c: { deviceId: "car-c", maxCapacity: 50_000, maxChargePower: 7400 } },
      inverters: { q, p: { ...omit(p as Record<string, unknown>, ["baseLoad"]), tilt: UNKNOWN, onDelete: "restore" } },
      // Without the other roof's base load, 0 would be a low one.
      ignoreLints: ["low-base-load"],
    });
    expect(changes).to.have.lengthOf(7);
    expectLike(shown.at(-1)?.split("\n").sort() ?? [], [
      "inverter/p: tilt 35° → …, baseLoad 400 W → …, onDelete retain → restore",
      "site: ignoreLints low-base-load",
      "vehicle/b: …(retain)",
      "vehicle/c: …, maxCapacity 50 kWh, maxChargePower 7.4 kW",
      "vehicle/van: … vehicle/a",
    ]);
  });

  it("reports nothing in an update, which shows its own steps", async () => {
    const { site } = await appliedSite();
    await site.up({ ...SITE, inverters: { q, p: { ...p, tilt: 30 } } });
    expect(site.shown.filter((text) => text.includes("→"))).to.deep.equal([]);
  });
});
