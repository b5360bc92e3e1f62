import { expect } from "chai";
import { didYouMean, nearest, outOfRange, typeName } from "../../../provider/settings/explain";
import type { NumberSetting } from "../../../provider/settings/setting";

describe("outOfRange", () => {
  const power: NumberSetting = {
    type: "number",
    wireName: "power",
    description: "Power.",
    unit: "W",
    minimum: 1000,
    maximum: 350_000,
    source: "documented",
  };

  it("finds nothing in the range, edges included", () => {
    for (const value of [1000, 1000.5, 350_000]) expect(outOfRange(power, value)).to.equal(undefined);
  });

  it("names value, limit and unit on either side", () => {
    expect(outOfRange(power, -5)).to.equal("must be at least 1 kW, not -5 W");
    expect(outOfRange(power, 350_001)).to.equal("must be at most 350 kW, not 350.001 kW");
  });

  const meant = (hint: string | undefined) => (hint ? `; did you mean "${hint}"?` : "");
  const kilo: [number, string | undefined][] = [
    [77, "77 kW"],
    [7.2, "7.2 kW"],
    [1.1, "1.1 kW"],
    [1, "1 kW"],
    [350, "350 kW"],
    [0.999, undefined],
    [350.001, undefined],
    [0, undefined],
    [-11, undefined],
  ];
  for (const [value, hint] of kilo) {
    it(`takes ${value} for ${hint ? "kilowatts" : "no kilowatts, which would be out of range too"}`, () => {
      expect(outOfRange(power, value)).to.equal(`must be at least 1 kW, not ${value} W${meant(hint)}`);
    });
  }

  const multipliedTwice: [number, string | undefined][] = [
    [11_000_000, "11 kW"],
    [7_200_000, "7.2 kW"],
    [1_000_000, "1 kW"],
    [350_000_000, "350 kW"],
    [999_999, undefined],
    [350_000_001, undefined],
  ];
  for (const [value, hint] of multipliedTwice) {
    it(`takes ${value} for ${hint ? "watts that were given to kW()" : "nothing else, whose thousandth is out of range too"}`, () => {
      expect(outOfRange(power, value)).to.equal(`must be at most 350 kW, not ${value / 1000} kW${meant(hint)}`);
    });
  }

  it("shows energies in their unit", () => {
    expect(outOfRange({ ...power, unit: "Wh" }, 77_400_000)).to.equal(
      'must be at most 350 kWh, not 77400 kWh; did you mean "77.4 kWh"?',
    );
  });

  it("knows no kilodegrees", () => {
    const degrees: NumberSetting = { ...power, unit: "degrees", minimum: 10, maximum: 90 };
    expect(outOfRange(degrees, 1)).to.equal("must be at least 10°, not 1°");
    expect(outOfRange(degrees, 35_000)).to.equal("must be at most 90°, not 35000°");
  });

  it("adds what the setting itself has to say", () => {
    const explain = (value: number) => `${value} is odd`;
    expect(outOfRange({ ...power, explain }, 400_000)).to.equal("must be at most 350 kW, not 400 kW; 400000 is odd");
  });
});

describe("nearest", () => {
  const NAMES = ["maxCapacity", "tilt", "restore"];
  const words: readonly [word: string, candidates: readonly string[], near: string | undefined][] = [
    ["maxCapacity", NAMES, "maxCapacity"],
    ["max_capacity", NAMES, "maxCapacity"],
    ["maxCapaXXX", NAMES, undefined],
    ["maxCapacXXX", NAMES, "maxCapacity"],
    ["maxCapaXXXX", NAMES, undefined],
    ["till", NAMES, "tilt"],
    ["taxt", NAMES, "tilt"],
    ["xaxt", NAMES, undefined],
    ["tilt", [], undefined],
    ["x".repeat(256), ["x".repeat(256)], "x".repeat(256)],
    ["x".repeat(257), ["x".repeat(257)], undefined],
  ];
  for (const [word, candidates, near] of words) {
    it(`of ${word.slice(0, 20)} among ${candidates.length} is ${near?.slice(0, 20) ?? "none"}`, () => {
      expect(nearest(word, candidates)).to.equal(near);
    });
  }

  it("is suggested, and nothing if there is none", () => {
    expect(didYouMean("till", NAMES)).to.contain("tilt?");
    expect(didYouMean("speed", NAMES)).to.equal("");
  });
});

describe("typeName", () => {
  const names: [unknown, string][] = [
    [null, "null"],
    [undefined, "undefined"],
    [Number.NaN, "NaN"],
    [5, "5"],
    [[5], "an array"],
    [{}, "an object"],
    ["5", "a string"],
    [true, "a boolean"],
  ];
  for (const [value, name] of names) {
    it(`calls ${JSON.stringify(value)} (${String(value)}) ${name}`, () => {
      expect(typeName(value)).to.equal(name);
    });
  }
});
