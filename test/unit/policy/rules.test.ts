import { createRequire } from "node:module";
import { join } from "node:path";
import type { PolicyResource, StackValidationArgs, StackValidationPolicy } from "@pulumi/policy";
import { expect } from "chai";
import { UNKNOWN } from "../../../provider/settings/objects";
import { gapInWords } from "../../../provider/settings/readiness";
import { ROOT } from "../../support/project";

type Properties = Record<string, unknown>;

// The pack is a package of its own, and is built after this one.
const load = createRequire(join(ROOT, "policy", "dist", "index.js"));
const { solarReady } = load("./solarReady.js") as { solarReady: StackValidationPolicy };
const { unknownCheckingProxy } = load("@pulumi/policy/proxy") as { unknownCheckingProxy<T>(props: T): T };
const { lintRules } = load("./lintRules.js") as { lintRules: StackValidationPolicy[] };

const DYNAMIC = "pulumi-nodejs:dynamic/solar-charging";
const NATIVE = "solar-charging:index";

const FORECAST = "CHARGE BY FORECAST";
const CAR = { businessId: "acme", deviceId: "car", maxCapacity: 77_000, maxChargePower: 11_000 };
const ROOF = {
  ...{ businessId: "acme", deviceId: "roof", peakPower: 9_800, azimuth: 180 },
  ...{ tilt: 35, cutInThreshold: 150, baseLoad: 400 },
};
const READY = { solar: true, gaps: [] };
const gap = (device: string, setting: string) => ({ device, setting, reason: "notDeclared" }) as const;

/** A resource in the form of the policy SDK: reading an unknown value throws. */
function resource(type: string, name: string, props: Properties): PolicyResource {
  return { type, name, urn: `urn:${name}`, props: unknownCheckingProxy(props) } as PolicyResource;
}

const vehicle = (props: Properties, module = DYNAMIC) => resource(`${module}:VehicleSettings`, "vehicle", props);
const roof = (props: Properties, module = DYNAMIC) => resource(`${module}:InverterSettings`, "inverter", props);
const site = (props: Properties, module = DYNAMIC) => resource(`${module}:SiteSettings`, "site", props);

/** The violations of a rule, each as the resource's URN and the lines. */
async function reported(
  { validateStack, configSchema }: StackValidationPolicy,
  resources: PolicyResource[],
  config: Properties = {},
): Promise<string[]> {
  const violations: string[] = [];
  const properties = Object.entries(configSchema?.properties ?? {});
  const defaults = Object.fromEntries(properties.map(([key, { default: value }]) => [key, value]));
  const args = { resources, getConfig: () => ({ ...defaults, ...config }) } as unknown as StackValidationArgs;
  if (typeof validateStack !== "function") throw new Error("the rule is not one function");
  await validateStack(args, (message, urn = "stack") => violations.push(`${urn} ${message}`));
  return violations;
}

const lint = (name: string) => lintRules.find((rule) => rule.name === name) as StackValidationPolicy;

describe("policy pack: solar-ready", () => {
  for (const module of [DYNAMIC, NATIVE]) {
    it(`reports what a site lacks, and not its devices on their own: ${module}`, async () => {
      const gaps = [gap("vehicle/van", "maxCapacity"), gap("site", "inverters")];
      const declared = { ...READY, gaps, policies: { van: FORECAST }, vehicles: { van: CAR } };
      const lines = gaps.map(gapInWords).join("\n");
      expect(await reported(solarReady, [site(declared, module)])).to.deep.equal([`urn:site ${lines}`]);
    });

    it(`asks a vehicle without a site for its values and an inverter of its business: ${module}`, async () => {
      expect(await reported(solarReady, [vehicle({ ...CAR, policy: FORECAST }, module), roof(ROOF, module)])).to.be
        .empty;
      expect(await reported(solarReady, [vehicle({ ...CAR, policy: FORECAST }, module)])).to.deep.equal([
        "stack business/acme: no inverter",
      ]);
      const { tilt: _, ...lacking } = ROOF;
      expect(
        await reported(solarReady, [vehicle({ ...CAR, policy: FORECAST }, module), roof(lacking, module)]),
      ).to.deep.equal([`urn:inverter ${gapInWords(gap("inverter/roof", "tilt"))}`]);
    });

    it(`asks for a vehicle's value only once it was read, and does not report it: ${module}`, async () => {
      const { maxCapacity: _, ...lacking } = { ...CAR, policy: FORECAST };
      const count = async (settings?: Properties) =>
        (
          await reported(solarReady, [
            vehicle({ ...lacking, ...(settings && { settings }) }, module),
            roof(ROOF, module),
          ])
        ).length;
      expect(await count()).to.equal(0);
      expect(await count({ maxCapacity: { status: "unmanaged", reported: 58_000 } })).to.equal(0);
      expect(await count({ policy: {} })).to.equal(1);
    });
  }

  it("finds a site's inverter for a vehicle of the same business, in its arguments and in its state", async () => {
    const car = vehicle({ ...CAR, policy: FORECAST });
    expect(await reported(solarReady, [car, site({ ...READY, inverters: { roof: ROOF }, vehicles: {} })])).to.be.empty;
    expect(await reported(solarReady, [car, site({ ...READY, devices: { "inverter/roof": ROOF } })])).to.be.empty;
    expect(
      await reported(solarReady, [car, site({ ...READY, inverters: { roof: { ...ROOF, businessId: "other" } } })]),
    ).to.deep.equal(["stack business/acme: no inverter"]);
  });

  it("does not count a device that a site only observes", async () => {
    const observed = { businessId: "acme", deviceId: "roof", observe: true };
    const stack = [vehicle({ ...CAR, policy: FORECAST }), site({ ...READY, inverters: { roof: observed } })];
    expect(await reported(solarReady, stack)).to.deep.equal(["stack business/acme: no inverter"]);
  });

  it("judges a site's vehicle that declares its policy like one without a site", async () => {
    const { maxCapacity: _, ...lacking } = { ...CAR, policy: FORECAST, settings: {} };
    const declared = { ...READY, devices: { "vehicle/own": lacking, "inverter/roof": ROOF } };
    expect(await reported(solarReady, [site(declared)])).to.have.lengthOf(1);
  });

  it("asks nothing of a site that is not solar, and with requireForecast the policy of its vehicles", async () => {
    const plain = site({ solar: false, gaps: [gap("site", "inverters")], vehicles: { car: CAR } });
    expect(await reported(solarReady, [plain])).to.deep.equal([]);
    expect(await reported(solarReady, [plain], { requireForecast: true, requireInverter: false })).to.deep.equal([
      `urn:site ${gapInWords(gap("vehicle/car", "policy"))}`,
    ]);
  });

  it("counts a site as solar if it has an inverter and does not declare it, in its arguments and in its state", async () => {
    const gaps = [gap("vehicle/car", "maxCapacity")];
    for (const devices of [{ inverters: { roof: ROOF } }, { devices: { "inverter/roof": ROOF } }]) {
      expect(await reported(solarReady, [site({ gaps, ...devices })])).to.have.lengthOf(1);
    }
    expect(await reported(solarReady, [site({ gaps, vehicles: { car: CAR } })])).to.deep.equal([]);
  });

  it("counts the policy that a site gives a vehicle with requireForecast", async () => {
    const declared = { solar: false, vehicles: { car: CAR }, inverters: { roof: ROOF } };
    const count = async (policies: Properties) =>
      (await reported(solarReady, [site({ ...declared, policies })], { requireForecast: true })).length;
    expect(await count({})).to.equal(1);
    expect(await count({ car: FORECAST })).to.equal(0);
  });

  it("leaves out ignored devices, those that a site observes too, and continues with the rest of the site", async () => {
    const gaps = [gap("vehicle/car", "maxCapacity"), gap("inverter/roof", "tilt"), gap("vehicle/van", "maxCapacity")];
    const observed = { businessId: "acme", deviceId: "roof", observe: true };
    const vehicles = { car: CAR, van: { ...CAR, deviceId: "van" } };
    const declared = site({ ...READY, gaps, vehicles, inverters: { roof: observed } });
    expect(await reported(solarReady, [declared], { ignoreDevices: ["car", "acme/roof"] })).to.deep.equal([
      `urn:site ${gapInWords(gap("vehicle/van", "maxCapacity"))}`,
    ]);
  });

  it("takes what is not known yet as right, and judges nothing while it is not known which device it is", async () => {
    const known = { ...READY, vehicles: { car: { ...CAR, policy: FORECAST, maxCapacity: UNKNOWN } } };
    expect(await reported(solarReady, [site({ ...known, inverters: { roof: ROOF }, gaps: UNKNOWN })])).to.be.empty;
    for (const vehicles of [UNKNOWN, { car: { ...CAR, deviceId: UNKNOWN } }]) {
      const error = await reported(solarReady, [site({ ...READY, vehicles })]).catch((caught: Error) => caught);
      expect(error)
        .to.be.an("error")
        .with.property("message")
        .that.matches(/can't be known during preview/);
    }
  });
});

describe("policy pack: lints", () => {
  const inverters = { south: ROOF, west: { ...ROOF, deviceId: "west" } };

  it("judge the devices of a site, on the resource of the site", async () => {
    const declared = { ...READY, vehicles: { car: { ...CAR, maxCapacity: 80_000 } }, inverters };
    const [found = "", ...more] = await reported(lint("default-capacity"), [site(declared)]);
    expect(found).to.equal("urn:site vehicle/car: maxCapacity");
    expect(more).to.deep.equal([]);
  });

  it("show no value, because rules cannot tell which are secrets", async () => {
    const values = { maxCapacity: 187_654, maxChargePower: 75_321, peakPower: 137, azimuth: 3.7, tilt: 1.3 };
    const [car, roofs] = [
      { ...CAR, ...values },
      { ...ROOF, ...values, cutInThreshold: 136, baseLoad: 7_531 },
    ];
    const declared = {
      ...READY,
      latitude: 51.2371,
      vehicles: { car },
      inverters: { a: roofs, b: { ...roofs, deviceId: "b" } },
    };
    const found = await Promise.all(lintRules.map((rule) => reported(rule, [site(declared)])));
    expect(found.flat()).to.have.length.above(9);
    expect(found.join()).to.not.match(/\d/);
  });

  it("judge what several resources declare for one device as one, each on the resource that declares it", async () => {
    const capacity = vehicle({ businessId: "acme", deviceId: "car", maxCapacity: 10_000 });
    const properties = { businessId: "acme", deviceId: "car", maxChargePower: 14_000 };
    const power = resource(`${DYNAMIC}:VehicleSettings`, "power", properties);
    const found = await reported(lint("power-for-capacity"), [capacity, power]);
    expect(found).to.have.lengthOf(1);
    expect(found[0]).to.equal("urn:power vehicle/car: maxChargePower, maxCapacity");
  });

  it("find the same base load twice at one site, and not at two", async () => {
    const rule = lint("repeated-base-load");
    const found = await reported(rule, [site({ ...READY, inverters })]);
    expect(found).to.have.lengthOf(1);
    expect(found[0]).to.equal("urn:site inverter/south, inverter/west: baseLoad");
    const apart = Object.entries(inverters).map(([name, device]) => site({ ...READY, inverters: { [name]: device } }));
    expect(await reported(rule, apart)).to.deep.equal([]);
    expect(await reported(rule, [site({ ...READY, inverters })], { ignoreDevices: ["west"] })).to.deep.equal([]);
  });

  it("find base loads above all roofs of a site together, if all are known", async () => {
    const rule = lint("base-load-above-site");
    const high = { south: { ...ROOF, baseLoad: 9_800 }, west: { ...ROOF, deviceId: "west", baseLoad: 9_801 } };
    expect(await reported(rule, [site({ ...READY, inverters: high })])).to.have.lengthOf(1);
    const unknown = { ...high, west: { ...high.west, peakPower: UNKNOWN } };
    expect(await reported(rule, [site({ ...READY, inverters: unknown })])).to.deep.equal([]);
  });

  it("take the latitude that a site declares, else the configured one", async () => {
    const rule = lint("azimuth-off-equator");
    const north = { ...ROOF, azimuth: 0 };
    const at = (latitude?: number) => [site({ ...READY, ...(latitude && { latitude }), inverters: { north } })];
    expect(await reported(rule, at(52))).to.have.lengthOf(1);
    expect(await reported(rule, at(-33), { latitude: 52 })).to.deep.equal([]);
    expect(await reported(rule, at(), { latitude: 52 })).to.have.lengthOf(1);
    // Without a latitude, a roof to the north is also a warning.
    expect(await reported(rule, at())).to.have.lengthOf(1);
  });
});

describe("policy pack: planes of an inverter", () => {
  const { peakPower: _, azimuth: __, tilt: ___, ...rest } = ROOF;
  const side = (azimuth: unknown, tilt = 30) => ({ peakPower: 5000, azimuth, tilt });
  const twin = (...planes: unknown[]) => ({ ...rest, latitude: 50, planes });

  for (const [what, place] of [
    ["its own", (roofs: Properties) => roof(roofs)],
    [
      "a site",
      ({ latitude, ...device }: Properties) => site({ ...READY, latitude, inverters: { roof: device }, vehicles: {} }),
    ],
  ] as const) {
    it(`count as the three settings of a device of ${what}`, async () => {
      expect(await reported(lint("incomplete-inverter"), [place(twin(side(90), side(270)))])).to.deep.equal([]);
      const north = await reported(lint("azimuth-off-equator"), [place(twin(side(350), side(20)))]);
      expect(north).to.have.lengthOf(1);
      expect(await reported(lint("azimuth-off-equator"), [place(twin(side(UNKNOWN), side(20)))])).to.deep.equal([]);
      expect(await reported(lint("incomplete-inverter"), [place(twin(side(UNKNOWN), side(20)))])).to.deep.equal([]);
    });
  }

  it("make a business's inverter whole", async () => {
    const car = vehicle({ ...CAR, policy: FORECAST });
    expect(await reported(solarReady, [car, roof(twin(side(90), side(270)))])).to.deep.equal([]);
    expect((await reported(solarReady, [car, roof(rest)])).join()).to.contain(gapInWords(gap("inverter/roof", "tilt")));
  });

  it("count with the base loads of a site", async () => {
    const roofs = ["a", "b"].map((deviceId) => [deviceId, { ...twin(side(90), side(270)), deviceId, baseLoad: 9500 }]);
    const found = await reported(lint("base-load-above-site"), [
      site({ ...READY, latitude: 50, inverters: Object.fromEntries(roofs), vehicles: {} }),
    ]);
    expect(found).to.have.lengthOf(1);
  });
});
