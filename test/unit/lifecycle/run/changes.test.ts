import { expect } from "chai";
import { type Change, wordsOf, wordsOfDevice } from "../../../../provider/lifecycle/run/changes";
import { UNKNOWN } from "../../../../provider/settings/objects";
import type { DeclaredDevice } from "../../../../provider/settings/site";
import { changeInWords, pointOf, valueInWords } from "../../../../provider/settings/valueWords";

const ROOF: DeclaredDevice = {
  ...{ group: "inverters", name: "p", observe: false, policyFromSite: false, given: {} },
  ...{ businessId: "acme", deviceId: "roof", values: {} },
};

describe("a change in words", () => {
  const ofRoof = { kind: "value", device: ROOF } as const;
  const ofSite = { kind: "value" } as const;

  for (const [change, words] of [
    [{ ...ofRoof, key: "tilt", before: 30, after: 35 }, "inverter/p: tilt 30° → 35°"],
    [{ ...ofRoof, key: "tilt", after: 35 }, "inverter/p: tilt (not reported) → 35°"],
    [{ ...ofRoof, key: "tilt", before: 30 }, "inverter/p: tilt 30° → no longer managed"],
    [{ ...ofRoof, key: "ignoreLints", after: ["flat-tilt"] }, "inverter/p: ignoreLints (not declared) → flat-tilt"],
    [{ ...ofRoof, key: "ignoreLints", before: ["flat-tilt"] }, "inverter/p: ignoreLints flat-tilt → not declared"],
    [{ ...ofSite, key: "ignoreLints", before: ["a", "b"] }, "site: ignoreLints a, b → not declared"],
    [{ ...ofSite, key: "requireReady", before: true }, "site: requireReady true → not declared"],
    [{ ...ofSite, key: "requireReady", after: true }, "site: requireReady true"],
    [{ kind: "leaves", device: ROOF, onDelete: "reset" }, "inverter/p: leaves (reset)"],
    [{ kind: "leaves", device: ROOF, onDelete: "observed" }, "inverter/p: no longer observed"],
    [{ kind: "renamed", device: ROOF, from: { group: "inverters", name: "q" } }, "inverter/p: was inverter/q"],
    [{ kind: "new", device: { ...ROOF, values: { tilt: 30 } } }, "inverter/p: tilt 30°"],
    [{ kind: "new", device: ROOF }, "inverter/p: new"],
  ] as [Change, string][]) {
    it(`is ${words}`, () => expect(wordsOf([change])).to.deep.equal([words]));
  }

  it("of a device with its own resource has no name of a device", () => {
    const changes: Change[] = [
      { kind: "value", key: "tilt", before: 30 },
      { kind: "value", key: "azimuth", after: 180 },
    ];
    expect(wordsOfDevice(changes)).to.deep.equal(["tilt 30° → no longer managed, azimuth 180° (S)"]);
    expect(wordsOfDevice([])).to.deep.equal([]);
  });
});

describe("a value in words", () => {
  const planes = [90, 270].map((azimuth) => ({ peakPower: 5000, azimuth, tilt: 30 }));

  for (const [key, value, words] of [
    ["maxChargePower", 7400, "7.4 kW"],
    ["azimuth", 202.5, "202.5° (SSW)"],
    ["azimuth", UNKNOWN, "(known after the update)"],
    ["azimuth", "[secret]", "[secret]"],
    ["policy", "CHARGE BY", "CHARGE BY"],
    ["tilt", undefined, "–"],
    ["planes", planes, "5 kW E 30° + 5 kW W 30°"],
    ["ignoreLints", ["a", "b"], "a, b"],
    ["other", ["a", 5], '["a",5]'],
    ["solar", true, "true"],
  ] as const) {
    it(`is ${words}`, () => expect(valueInWords(key, value)).to.equal(words));
  }

  for (const [key, before, after, words] of [
    ["maxChargePower", 7400, 11_000, "7.4 → 11 kW"],
    ["maxChargePower", undefined, 11_000, "(not known) → 11 kW"],
    ["tilt", 20, 35, "20° → 35°"],
    ["azimuth", 202.5, 22.5, "SSW → NNE (202.5° → 22.5°)"],
    ["azimuth", 180, 185, "180° → 185° (S)"],
    ["azimuth", 180, UNKNOWN, "180° → (known after the update)"],
    ["planes", planes.slice(1), planes, "5 kW W 30° → 5 kW E 30° + 5 kW W 30°"],
  ] as const) {
    it(`that changes is ${words}`, () => expect(changeInWords(key, before, after)).to.equal(words));
  }

  it("has the point of the compass of any bearing, also of one that the service reports below 0°", () => {
    const points = [0, 11, 12, 180, 348, 349, 359, -10, -90].map(pointOf);
    expect(points).to.deep.equal(["N", "N", "NNE", "S", "NNW", "N", "N", "N", "W"]);
  });
});
