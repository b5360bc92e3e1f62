import { expect } from "chai";
import fc from "fast-check";
import { sealed } from "../../../provider/engine/answers";
import { Secrets } from "../../../provider/engine/secrets";
import { deviceOperations } from "../../../provider/lifecycle/deviceOperations";
import { SecretInputs } from "../../../provider/lifecycle/run/secretInputs";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import { declaredOver } from "../../../provider/manifest/build";
import { inverter } from "../../../provider/settings/inverter";
import { UNKNOWN } from "../../../provider/settings/objects";
import {
  declaredValues,
  FOLDED,
  foldOf,
  foldWords,
  MOST_PLANES,
  planesOf,
  planesText,
} from "../../../provider/settings/planes";
import { vehicle } from "../../../provider/settings/vehicle";
import { lossesText } from "../../../scripts/tables";
import { COMPLETE, contextOf, FakeService, ROOF, runOf } from "../../support/fakes";
import { settingsIn } from "../../support/records";

const EAST = { peakPower: 5000, azimuth: 90, tilt: 30 };
const WEST = { peakPower: 5000, azimuth: 270, tilt: 30 };
const PLANES = [EAST, WEST];
const REST = { cutInThreshold: 150, baseLoad: 400 };
const FOLD = { peakPower: 9075, azimuth: 180, tilt: 0 };
const ON_WIRE = { peak_power: 9075, azimuth: 180, tilt: 0 };
const DECLARED = { deviceId: "roof", latitude: 50, planes: PLANES, ...REST };

const service = () =>
  new FakeService().put(ROOF, { peak_power: 1000, azimuth: 7, tilt: 8, cut_in_threshold: 9, base_load: 10 });

function roofs(secrets?: SecretInputs, own = service()) {
  const messages: { code: string; finding: string; numbers?: object }[] = [];
  const run = runOf({ ...COMPLETE, SOLAR_CHARGING_INVERTER_FIELDS: "{}" }, own);
  const note = async (message: { code: string; finding: string }) => void messages.push(message);
  const reporting = { ...run, report: { ...run.report, info: note, warn: note } };
  const context = { ...contextOf(), ...(secrets && { secrets }) };
  return {
    ...{ messages, service: own, context, site: siteOperations(() => reporting) },
    device: deviceOperations(inverter, () => reporting),
  };
}

async function problemsOf(inputs: object): Promise<string[]> {
  const { device, context } = roofs();
  const { problems } = await device.check(context, {}, { deviceId: "roof", ...inputs });
  return problems.map(({ property }) => property);
}

describe("planes of an inverter", () => {
  it("are refused, each problem on its own path", async () => {
    expect(await problemsOf({ planes: [] })).to.deep.equal(["planes"]);
    expect(await problemsOf({ planes: "E" })).to.deep.equal(["planes"]);
    expect(await problemsOf({ planes: Array(MOST_PLANES + 1).fill(EAST) })).to.deep.equal(["planes"]);
    expect(await problemsOf({ planes: PLANES, azimuth: 180 })).to.deep.equal(["planes"]);
    expect(await problemsOf({ planes: UNKNOWN, azimuth: 180 })).to.deep.equal(["planes"]);
    const wrong = [{ peakPower: 5000, azimuth: "E" }, { ...EAST, tilt: "30 kW" }, { ...EAST, azimut: 1 }, 7];
    expect(await problemsOf({ planes: wrong })).to.have.members([
      "planes[0].tilt",
      "planes[1].tilt",
      "planes[2].azimut",
      "planes[3]",
    ]);
    expect(
      await problemsOf({
        planes: [
          { ...EAST, tilt: 91 },
          { ...WEST, peakPower: 5 },
        ],
      }),
    ).to.deep.equal(["planes[0].tilt", "planes[1].peakPower"]);
    // The vectors of opposite facades cancel each other.
    const facades = PLANES.map((plane) => ({ ...plane, tilt: 90 }));
    expect(await problemsOf({ planes: facades })).to.deep.equal(["planes"]);
    expect(await problemsOf({ planes: facades, latitude: 50 })).to.deep.equal([]);
    expect(await problemsOf({ planes: PLANES, cutInThreshold: 9500 })).to.deep.equal(["cutInThreshold"]);
  });

  it("stay in the inputs as they are given, in the units of the settings; a check of that changes nothing", async () => {
    const { device, context } = roofs();
    const given = {
      ...DECLARED,
      planes: [
        { peakPower: "5 kWp", azimuth: "E", tilt: "30°" },
        { peakPower: 5000, azimuth: { degrees: 90, convention: "south-zero" }, tilt: 30 },
      ],
    };
    const { inputs, problems } = await device.check(context, {}, given);
    expect(problems).to.deep.equal([]);
    expect(inputs).to.deep.equal({ ...DECLARED, businessId: "acme" });
    expect((await device.check(context, inputs, inputs)).inputs).to.deep.equal(inputs);
  });

  it("are sent as one plane, and given back; a refresh keeps them, and an update repairs what it found", async () => {
    const { device, context, service: own } = roofs();
    const { inputs } = await device.check(context, {}, { ...DECLARED, onDelete: "restore" });
    const { id, outputs } = await device.create(context, inputs);
    expect(own.sent).to.deep.equal([{ ...ON_WIRE, cut_in_threshold: 150, base_load: 400 }]);
    expect(outputs).to.deep.include({ ...FOLD, planes: PLANES });
    expect((await device.diff(context, outputs, inputs)).changes).to.deep.equal([]);

    own.put(ROOF, { ...own.get(ROOF), azimuth: 190 });
    const read = await device.read(context, id, outputs);
    expect(read?.inputs).to.deep.equal(inputs);
    expect(read?.outputs).to.deep.include({ azimuth: 190, planes: PLANES });
    expect(settingsIn(read?.outputs ?? {})).to.have.nested.property("azimuth.status", "drifted");
    const { changes } = await device.diff(context, read?.outputs ?? {}, inputs);
    expect(changes).to.deep.equal([{ kind: "value", key: "azimuth", before: 190, after: 180 }]);

    const repaired = await device.update(context, read?.outputs ?? {}, inputs);
    expect(own.sent.at(-1)).to.deep.equal({ azimuth: 180 });
    const moved = { ...inputs, planes: [EAST, { ...WEST, tilt: 31 }] };
    const keys = (await device.diff(context, repaired, moved)).changes.map(
      (change) => change.kind === "value" && change.key,
    );
    expect(keys).to.include("planes");
    // In another run, because the program of this one declares the device.
    await roofs(undefined, own).device.delete(context, repaired);
    expect(own.get(ROOF)).to.deep.include({ peak_power: 1000, azimuth: 7, tilt: 8 });
  });

  it("of a site take the site's latitude, and count as declared", async () => {
    const { site, context, service: own, messages } = roofs();
    const { latitude, ...roof } = DECLARED;
    const given = { latitude, solar: false, inverters: { roof: { ...roof, onDelete: "restore" } } };
    const { inputs, problems } = await site.check(context, {}, given);
    expect(problems).to.deep.equal([]);
    expect(inputs).to.deep.include({ inverters: given.inverters });
    const { outputs } = await site.create(context, inputs);
    expect(own.sent).to.deep.equal([{ ...ON_WIRE, cut_in_threshold: 150, base_load: 400 }]);
    expect(outputs).to.have.nested.property("devices.inverter/roof.azimuth", 180);
    expect((await site.diff(context, outputs, inputs)).changes).to.deep.equal([]);
    own.put(ROOF, { ...own.get(ROOF), tilt: 12 });
    const read = await site.read(context, "home", outputs);
    expect(read?.inputs).to.deep.include({ inverters: inputs.inverters });
    messages.length = 0;
    const preview = { ...context, isPreview: true };
    expect((await site.diff(preview, read?.outputs ?? {}, inputs)).changes).to.have.lengthOf(1);
    expect(messages.map(({ finding }) => finding)).to.deep.equal(["inverter/roof: tilt 12° → 0°"]);
    const repaired = await site.update(context, read?.outputs ?? {}, inputs);
    await roofs(undefined, own).site.delete(context, repaired);
    expect(own.get(ROOF)).to.deep.include({ peak_power: 1000, azimuth: 7, tilt: 8 });
  });

  it("that are not known yet, or a latitude that is not, make the three settings unknown", async () => {
    for (const unknown of [
      { planes: UNKNOWN },
      { planes: [EAST, { ...WEST, tilt: UNKNOWN }] },
      { latitude: UNKNOWN },
    ]) {
      const { device, site, context, messages } = roofs();
      const { inputs, problems } = await device.check(context, {}, { ...DECLARED, ...unknown });
      expect(problems).to.deep.equal([]);
      expect(declaredValues(inverter, inputs, inputs.latitude)).to.deep.include({ azimuth: UNKNOWN, tilt: UNKNOWN });
      expect(messages.map(({ code }) => code)).not.to.include("foldedPlanes");
      const { latitude, ...roof } = { ...DECLARED, ...unknown };
      const ofSite = await site.check(context, {}, { latitude, inverters: { roof } });
      expect(ofSite.problems).to.deep.equal([]);
    }
  });

  it("are reported as one plane if it changes; from 5 % at another time it is a warning", async () => {
    const codesOf = async (inputs: object, olds: object = {}) => {
      const { device, context, messages } = roofs();
      await device.check(context, { businessId: "acme", ...olds }, { deviceId: "roof", ...REST, ...inputs });
      return messages;
    };
    const [said, ...others] = await codesOf({ planes: PLANES, latitude: 50 });
    expect([said?.code, others]).to.deep.equal(["foldedPlanes", []]);
    expect(said?.numbers).to.include({ ...FOLD, yearLoss: 0.03, shapeLoss: 0.036 });
    expect(await codesOf(DECLARED, DECLARED)).to.deep.equal([]);
    const steep = { planes: PLANES.map((plane) => ({ ...plane, tilt: 45 })), latitude: 50 };
    expect((await codesOf(steep)).map(({ code }) => code)).to.deep.equal(["planes-as-one"]);
    expect(await codesOf({ ...steep, ignoreLints: ["planes-as-one"] })).to.deep.equal([]);
    const radians = { planes: [EAST, { ...WEST, tilt: 0.6 }], latitude: 50 };
    expect((await codesOf(radians)).map(({ code }) => code)).to.include("tilt-in-radians");
  });

  it("of which one value is a secret make the three settings secrets", async () => {
    for (const path of ["planes", "planes.0.azimuth", "planes[0].azimuth"]) {
      const secrets = new SecretInputs([path]);
      expect(["planes", ...FOLDED, "baseLoad"].map((key) => secrets.has(key))).to.deep.equal([
        true,
        true,
        true,
        true,
        false,
      ]);
      expect(new SecretInputs([`inverters.planes.${path}`]).below("inverters.planes").has("tilt")).to.equal(true);
    }
    expect(new SecretInputs(["inverters.planes.azimuth"]).has("inverters.planes.tilt")).to.equal(false);
    const { device, context, messages } = roofs(new SecretInputs(["planes.0.azimuth"]));
    const { problems } = await device.check(context, {}, { ...DECLARED, planes: [{ ...EAST, azimuth: 400 }] });
    expect(JSON.stringify(problems)).not.to.contain("400");
    await device.check(context, {}, { ...DECLARED, planes: PLANES.map((plane) => ({ ...plane, tilt: 45 })) });
    expect(JSON.stringify(messages)).not.to.match(/45|8293/);
  });

  it("of which one value is a secret are sealed in the state of the plugin, with the three settings", () => {
    const roof = { planes: [{ ...EAST, azimuth: sealed(90) }, WEST] };
    const outputs = {
      ...FOLD,
      ...roof,
      settings: { azimuth: { baseline: 7 }, baseLoad: {} },
    };
    const isSealed = (value: unknown) => JSON.stringify(value).startsWith('{"4dabf');
    const secrets = new Secrets();
    const shown = secrets.seal(secrets.open(outputs));
    expect(["planes", ...FOLDED].every((key) => isSealed(shown[key]))).to.equal(true);
    expect(isSealed((shown.settings as { azimuth: { baseline: unknown } }).azimuth.baseline)).to.equal(true);
    expect(shown.settings).to.deep.include({ baseLoad: {} });
    const ofSite = new Secrets();
    ofSite.open({ latitude: 50, inverters: { roof } });
    const { devices } = ofSite.seal({ devices: { "inverter/roof": { ...FOLD, planes: PLANES } } }) as {
      devices: object;
    };
    expect(isSealed(Object.values(devices)[0].tilt)).to.equal(true);
  });

  it("are sealed with a secret latitude, which could be computed from the three settings, and others are not", () => {
    const secrets = new Secrets();
    secrets.open({ latitude: sealed(50), inverters: { east: { planes: PLANES }, west: { ...EAST } } });
    expect(secrets.inputs().below("inverters.east").has("peakPower")).to.equal(true);
    expect(secrets.inputs().below("inverters.west").has("peakPower")).to.equal(false);
    const own = new Secrets();
    const shown = own.seal(own.open({ ...FOLD, latitude: sealed(50), planes: PLANES, baseLoad: 400 }));
    for (const key of ["planes", ...FOLDED]) expect(shown[key], key).to.have.property("value");
    expect(shown.baseLoad).to.equal(400);
  });

  it("and the three settings replace each other if defaults are merged", () => {
    expect(declaredOver({ ...EAST, baseLoad: 1 }, { planes: PLANES })).to.deep.equal({ planes: PLANES, baseLoad: 1 });
    expect(declaredOver({ planes: PLANES }, { azimuth: 1 })).to.deep.equal({ azimuth: 1 });
    expect(declaredOver({ planes: PLANES }, { baseLoad: 1 })).to.deep.equal({ planes: PLANES, baseLoad: 1 });
  });

  it("give values that a program may declare itself, the same ones each time", () => {
    const plane = fc.record({
      peakPower: fc.integer({ min: 100, max: 50_000 }),
      azimuth: fc.integer({ min: 0, max: 360 }),
      tilt: fc.integer({ min: 0, max: 60 }),
    });
    const latitude = fc.option(fc.integer({ min: -65, max: 65 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(plane, { minLength: 1, maxLength: 4 }), latitude, (planes, place) => {
        const values = declaredValues(inverter, { planes }, place);
        expect(values).to.have.all.keys(FOLDED);
        expect(values.tilt).to.be.within(0, 90);
        expect(values.azimuth).to.be.within(0, 360);
        expect(values.peakPower).to.be.greaterThan(0);
        expect(
          foldOf(
            planes.map((one) => ({ ...one })),
            place,
          ),
        ).to.deep.include(values);
      }),
      { numRuns: 20 },
    );
  });
});

describe("planesOf", () => {
  it("are the planes, if each is known", () => {
    expect(planesOf({ planes: PLANES })).to.equal(PLANES);
  });

  const others: readonly [what: string, planes: unknown][] = [
    ["no planes", undefined],
    ["an empty list", []],
    ["a text", "E"],
    ["a list with a null", [EAST, null]],
    ["a plane without a tilt", [EAST, { peakPower: 5000, azimuth: 270 }]],
    ["a plane whose tilt is not known yet", [EAST, { ...WEST, tilt: UNKNOWN }]],
  ];
  for (const [what, planes] of others) {
    it(`finds none in ${what}`, () => {
      expect(planesOf({ planes })).to.equal(undefined);
    });
  }
});

describe("declaredValues", () => {
  it("are the settings alone if there are no planes, also at a latitude that is not known yet", () => {
    expect(declaredValues(inverter, { deviceId: "roof", ...EAST }, UNKNOWN)).to.deep.equal(EAST);
  });

  it("have no planes for a vehicle", () => {
    expect(declaredValues(vehicle, { maxCapacity: 77_000, planes: PLANES }, 50)).to.deep.equal({ maxCapacity: 77_000 });
  });

  const placeholders: readonly [what: string, planes: unknown, latitude: unknown][] = [
    ["all planes", "later", 50],
    ["the latitude", PLANES, "later"],
    ["a value of the second plane", [EAST, { ...WEST, tilt: "later" }], 50],
    ["a secret inside of a value", [EAST, { ...WEST, azimuth: { key: 1, signature: "later" } }], 50],
  ];
  for (const [what, planes, latitude] of placeholders) {
    it(`have the placeholder of ${what} in place of each of the three settings`, () => {
      expect(declaredValues(inverter, { planes, ...REST }, latitude)).to.deep.equal({
        ...REST,
        ...Object.fromEntries(FOLDED.map((key) => [key, "later"])),
      });
    });
  }

  it("have no folded settings if a plane is invalid", () => {
    expect(declaredValues(inverter, { planes: [null, EAST], ...REST }, 50)).to.deep.equal(REST);
  });
});

describe("foldOf", () => {
  it("keeps a single plane as it is, with fractions, also a level one", () => {
    for (const plane of [
      { peakPower: 5000.5, azimuth: 90.25, tilt: 30.5 },
      { peakPower: 5000, azimuth: 90, tilt: 0 },
    ]) {
      expect(foldOf([plane], 50)).to.deep.equal(plane);
    }
  });

  it("ignores a latitude that is not a number", () => {
    expect(foldOf(PLANES, "later")).to.deep.equal(foldOf(PLANES, undefined));
  });

  it("computes a result once, and keeps it beside others", () => {
    const first = foldOf(PLANES, 50);
    const other = foldOf(PLANES, 51);
    expect(foldOf(structuredClone(PLANES), 50)).to.equal(first);
    expect(foldOf(structuredClone(PLANES), 51)).to.equal(other);
  });

  it("forgets results after 10 000 others, so that the memory of a large fleet has a limit", () => {
    const first = foldOf(PLANES, undefined);
    for (let power = 1; power <= 10_000; power++) foldOf([EAST, { ...WEST, peakPower: power }], undefined);
    const again = foldOf(PLANES, undefined);
    expect(again).to.deep.equal(first);
    expect(again).to.not.equal(first);
  });
});

describe("foldWords", () => {
  const pair = (tilt: number) => PLANES.map((plane) => ({ ...plane, tilt }));

  it("has no fold for a single plane", () => {
    expect(foldWords([EAST], 50)).to.equal(undefined);
  });

  it("has the plane that is sent, and without a latitude no losses, but an advice", () => {
    const words = foldWords(PLANES, undefined);
    expect(words?.numbers).to.deep.equal({ peakPower: 8660, azimuth: 180, tilt: 0 });
    expect(words?.isCoarse).to.equal(false);
    expect(words?.advice).to.contain("latitude");
  });

  for (const [tilt, shapeLoss, isCoarse] of [
    [33, 0.047, false],
    [34, 0.05, false],
    [35, 0.054, true],
  ] as const) {
    it(`${isCoarse ? "advises two inverters" : "has no advice"} if ${shapeLoss * 100} % come at another time`, () => {
      const words = foldWords(pair(tilt), 50);
      expect(words?.numbers).to.include({ shapeLoss });
      expect(words?.isCoarse).to.equal(isCoarse);
      expect(words && "advice" in words).to.equal(isCoarse);
    });
  }

  const changes: readonly [change: string, planes: typeof PLANES, latitude: number][] = [
    ["−3 %", PLANES, 50],
    ["0 %", [EAST, EAST], 50],
    [
      "+20 %",
      [
        { peakPower: 6000, azimuth: 210, tilt: 80 },
        { peakPower: 1000, azimuth: 45, tilt: 60 },
      ],
      -47,
    ],
  ];
  for (const [change, planes, latitude] of changes) {
    it(`shows a change of the energy of a year as ${change}`, () => {
      expect(foldWords(planes, latitude)?.finding).to.contain(` by ${change},`);
    });
  }
});

describe("planesText", () => {
  const texts: readonly [string, typeof PLANES][] = [
    ["5 kW E 30° + 5 kW W 30°", PLANES],
    ["0.5 kW NNE 0.5°", [{ peakPower: 500, azimuth: 22.5, tilt: 0.5 }]],
    ["5 kW level", [{ ...EAST, tilt: 0 }]],
    ["5 kW N 30°", [{ ...EAST, azimuth: 360 }]],
    ["5 kW 91° 30°", [{ ...EAST, azimuth: 91 }]],
  ];
  for (const [text, planes] of texts) {
    it(`is ${text}`, () => {
      expect(planesText(planes)).to.equal(text);
    });
  }
});

describe("lossesText", () => {
  it("is the change of the energy, and the share at another time, in percent", () => {
    expect(lossesText({ yearLoss: 0.034, shapeLoss: 0.036 })).to.equal("−3 %, 4 %");
    expect(lossesText({ yearLoss: -0.2 })).to.equal("+20 %, 0 %");
    expect(lossesText({ yearLoss: 0.004, shapeLoss: 0.005 })).to.equal("0 %, 1 %");
    expect(lossesText({ shapeLoss: 1 })).to.equal("0 %, 100 %");
  });
});
