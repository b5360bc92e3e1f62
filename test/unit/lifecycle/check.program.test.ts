import { expect } from "chai";
import { failureOf } from "../../../provider/engine/answers";
import { check } from "../../../provider/lifecycle/check";
import { type LiveDevice, type ProgramFacts, UNKNOWN } from "../../../provider/lifecycle/program";
import type { Properties } from "../../../provider/lifecycle/state";
import { type Message, textOf } from "../../../provider/messages/message";
import { inverter } from "../../../provider/settings/inverter";
import type { DeviceKind } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { CAR, COMPLETE, ROOF, runOf, said } from "../../support/fakes";

const QUIET = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const FAST = { ...QUIET, maxChargePower: 50_000 };
const WHOLE = { peakPower: 9_800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

/** A check, with the warnings that it gave and the resource that each was given for. */
async function checked(kind: DeviceKind, news: Properties, olds: Properties = {}) {
  const warnings: [message: string, urn: string | undefined][] = [];
  const run = runOf({ ...COMPLETE, SOLAR_CHARGING_INVERTER_FIELDS: "{}" });
  const warn = async (message: Message, urn?: string) => {
    warnings.push([textOf(message), urn]);
  };
  const { inputs, problems } = await check(kind, { ...run, warn }, olds, news);
  return { inputs, problems, warnings, messages: warnings.map(([message]) => message), claims: run.claims };
}

const ofCar = (values: Properties, facts: ProgramFacts = {}, olds: Properties = {}) =>
  checked(vehicle, { ...CAR, ...values, __program: facts }, olds);

describe("check: what looks wrong", () => {
  it("is a warning for the resource, and no problem", async () => {
    const { problems, warnings } = await ofCar(FAST, { urn: "urn:car" });
    expect(problems).to.deep.equal([]);
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]?.[0]).to.match(/maxChargePower 50000 W is above 22000 W/);
    expect(warnings[0]?.[1]).to.equal("urn:car");
  });

  it("is a warning without a resource where the program does not tell it", async () => {
    const { warnings } = await checked(vehicle, { ...CAR, ...FAST });
    expect(warnings.map(([, urn]) => urn)).to.deep.equal([undefined]);
  });

  it("is not said of a resource that is refused", async () => {
    const { problems, messages } = await ofCar({ ...FAST, maxCapacity: 77 });
    expect(problems.map(({ property }) => property)).to.deep.equal(["maxCapacity"]);
    expect(messages).to.deep.equal([]);
  });

  it("is not said of what is not known yet, and is of the rest", async () => {
    expect((await ofCar({ ...QUIET, maxCapacity: UNKNOWN })).messages).to.deep.equal([]);
    expect((await ofCar({ ...FAST, maxCapacity: UNKNOWN })).messages).to.have.lengthOf(1);
    expect((await ofCar({ ...FAST, businessId: UNKNOWN })).messages).to.have.lengthOf(1);
  });

  it("is not said where it is switched off", async () => {
    const ignoreLints = ["direct-current-power"];
    expect((await ofCar({ ...FAST, ignoreLints })).messages).to.deep.equal([]);
  });

  it("of an azimuth is said with the latitude", async () => {
    const facing = (latitude: number) => checked(inverter, { ...ROOF, ...WHOLE, azimuth: "N", latitude });
    expect((await facing(51)).messages).to.have.lengthOf(1);
    expect((await facing(-34)).messages).to.deep.equal([]);
  });
});

describe("check: a vehicle that declares CHARGE BY FORECAST", () => {
  it("is warned of if the program declares no inverter, and not if it does or that is not known", async () => {
    expect(
      (await ofCar(QUIET, { hasInverter: false })).messages.filter((text) => text.includes("inverter")),
    ).to.have.lengthOf(1);
    for (const hasInverter of [true, undefined]) {
      expect((await ofCar(QUIET, { ...(hasInverter && { hasInverter }) })).messages).to.deep.equal([]);
    }
  });

  it("is not warned of with another policy, or with none", async () => {
    for (const policy of ["CHARGE BY", UNKNOWN, undefined]) {
      const { messages } = await ofCar({ ...(policy && { policy }) }, { hasInverter: false });
      expect(messages).to.deep.equal([]);
    }
  });
});

describe("check: what is for the check only", () => {
  it("is not kept: the lints that are switched off, the latitude, and what the program knows", async () => {
    const news = { ...ROOF, ...WHOLE, ignoreLints: ["flat-tilt"], latitude: 51, __program: { urn: "urn:roof" } };
    expect((await checked(inverter, news)).inputs).to.deep.equal({ ...ROOF, ...WHOLE });
  });

  it("is not kept of a resource that is refused either", async () => {
    const { inputs } = await checked(inverter, { ...ROOF, tilt: 91, ignoreLints: [], latitude: 51 });
    expect(inputs).to.deep.equal({ ...ROOF, tilt: 91 });
  });

  it("may be unknown", async () => {
    const { inputs, problems } = await checked(inverter, { ...ROOF, latitude: UNKNOWN, ignoreLints: [UNKNOWN] });
    expect({ inputs, problems }).to.deep.equal({ inputs: ROOF, problems: [] });
  });

  for (const [name, kind, wrong, reason] of [
    ["a lint that does not exist", vehicle, { ignoreLints: ["default-capacty"] }, /did you mean default-capacity\?/],
    [
      "lints that are no list",
      vehicle,
      { ignoreLints: "default-capacity" },
      /has to be a list of names of lints, not a string/,
    ],
    ["a latitude beyond the poles", inverter, { latitude: 91 }, /has to be from -90 to 90 degrees/],
    ["a latitude of another type", inverter, { latitude: "51" }, /or a number without quotes: 51/],
    ["a latitude of a vehicle", vehicle, { latitude: 51 }, /is not a property of VehicleSettings/],
  ] as const) {
    it(`is refused where it is wrong: ${name}`, async () => {
      const { problems } = await checked(kind, { ...CAR, ...wrong });
      expect(problems.map(({ property }) => property)).to.deep.equal(Object.keys(wrong));
      expect(problems[0]?.reason).to.match(reason);
    });
  }
});

describe("check: a secret", () => {
  const secrets = ["maxChargePower"];

  it("has warnings that show no value, and say which lint found something", async () => {
    const live = { values: { maxChargePower: 61_234 } };
    const { messages: texts } = await ofCar({ ...FAST, maxChargePower: 51_234 }, { secrets, live });
    expect(texts).to.have.lengthOf(2);
    expect(texts[0]).to.contain("maxChargePower looks wrong").and.contain('ignoreLints: ["direct-current-power"]');
    for (const text of texts) expect(text).to.not.match(/51234|61234/);
  });

  it("is refused without its value and without the reason, which the engine is not told on the property", async () => {
    const { problems } = await ofCar({ ...FAST, maxChargePower: 999_999 }, { secrets });
    const [failure] = problems.map(failureOf);
    expect(failure).to.include({ property: "" });
    expect(failure?.reason)
      .to.match(/^maxChargePower is not accepted/)
      .and.not.contain("999");
  });

  it("is not shown by the problem of a setting that has to be below it", async () => {
    const roof = { ...ROOF, ...WHOLE, peakPower: 1_234, cutInThreshold: 1_235 };
    const { problems } = await checked(inverter, { ...roof, __program: { secrets: ["peakPower"] } });
    expect(problems.map(({ property, reason }) => [property, reason.includes("1234")])).to.deep.equal([
      ["cutInThreshold", false],
    ]);
  });
});

describe("check: what a live preview found", () => {
  const urn = "urn:car";

  it("is a warning for the resource where something is wrong with the device", async () => {
    const { problems, warnings } = await ofCar(QUIET, { urn, live: { problem: said("there is no device 'car'") } });
    expect(problems).to.deep.equal([]);
    expect(warnings).to.deep.equal([["there is no device 'car'", urn]]);
  });

  it("is a warning for each value that differs from what is in state, whatever is declared", async () => {
    const live = { values: { maxCapacity: 55_000, maxChargePower: 11_000, policy: "CHARGE BY" } };
    const olds = { ...CAR, maxCapacity: 60_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
    const { warnings } = await ofCar(QUIET, { urn, live }, olds);
    expect(warnings).to.have.lengthOf(2);
    expect(warnings[0]?.[0]).to.match(
      /maxCapacity is 55000 in the service's cache, and 60000 in state: somebody else set it, or the cache is behind\./,
    );
    expect(warnings[1]?.[0]).to.match(/policy is CHARGE BY in the service's cache, and CHARGE BY FORECAST in state/);
    expect(warnings.map(([, of]) => of)).to.deep.equal([urn, urn]);
  });

  it("is a warning for each value that differs from what is declared for the first time", async () => {
    const live = { values: { maxCapacity: 55_000, maxChargePower: 11_000, policy: "CHARGE BY" } };
    const declared = { maxCapacity: 60_000, maxChargePower: 11_000 };
    const message = `device 'car': maxCapacity is 55000 in the service's cache: "pulumi up" sets it to 60000`;
    const another = { ...CAR, deviceId: "van", maxCapacity: 60_000 };
    for (const olds of [undefined, { ...CAR, policy: "CHARGE BY" }, another]) {
      const { messages } = await ofCar(declared, { live }, olds);
      expect(messages.filter((text) => text.includes("cache"))).to.deep.equal([message]);
    }
  });

  it("is nothing for a setting that is neither in state nor declared, or not known yet", async () => {
    const live = { values: { maxCapacity: 55_000, policy: "CHARGE BY" } };
    expect((await ofCar({}, { live })).messages).to.deep.equal([]);
    expect((await ofCar({ maxCapacity: UNKNOWN }, { live })).messages).to.deep.equal([]);
  });

  it("is nothing where it is not known", async () => {
    expect((await ofCar(QUIET, { live: UNKNOWN as unknown as LiveDevice })).messages).to.deep.equal([]);
  });

  it("is not said of a resource that is refused", async () => {
    expect((await ofCar({ maxCapacity: 77 }, { live: { problem: said("gone") } })).messages).to.deep.equal([]);
  });
});

describe("check: an azimuth", () => {
  for (const [given, bearing] of [
    ["SSW", 202.5],
    [{ degrees: -45, convention: "south-zero" }, 135],
    [{ degrees: -90, convention: "solcast" }, 90],
    [180, 180],
  ] as const) {
    it(`given as ${JSON.stringify(given)} is passed on as ${bearing}`, async () => {
      const { inputs, problems } = await checked(inverter, { ...ROOF, ...WHOLE, azimuth: given });
      expect({ inputs, problems }).to.deep.equal({ inputs: { ...ROOF, ...WHOLE, azimuth: bearing }, problems: [] });
    });
  }

  it("of which a part is not known yet is not known", async () => {
    const azimuth = { degrees: UNKNOWN, convention: "south-zero" };
    const { inputs, problems } = await checked(inverter, { ...ROOF, ...WHOLE, azimuth });
    expect({ inputs, problems }).to.deep.equal({ inputs: { ...ROOF, ...WHOLE, azimuth: UNKNOWN }, problems: [] });
  });

  it("that cannot be read is refused as it was given", async () => {
    const { inputs, problems } = await checked(inverter, { ...ROOF, azimuth: "SSV" });
    expect(inputs).to.include({ azimuth: "SSV" });
    expect(problems).to.have.lengthOf(1);
    expect(problems[0]).to.include({ property: "azimuth" });
  });
});
