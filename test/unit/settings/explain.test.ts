import { expect } from "chai";
import { didYouMean, nearest, outOfRange, typeName } from "../../../provider/settings/explain";
import type { NumberSetting } from "../../../provider/settings/setting";
import { expectFacts } from "../../support/facts";

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
    expectFacts(outOfRange(power, -5), ["1 kW", "-5 W"]);
    expectFacts(outOfRange(power, 350_001), ["350 kW", "350.001 kW"]);
    // Rounded, the value would be the limit itself.
    expectFacts(outOfRange(power, 350_000.0001), ["350 kW", "350000.0001 W"]);
  });

  /** The value that the problem suggests. */
  const hintIn = (problem: string | undefined) =>
    /mean (?:\d+ \((.*)\)|(.*) \(\d+ W\))/.exec(String(problem))?.slice(1).find(Boolean);
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
      const problem = outOfRange(power, value);
      expectFacts(problem, ["1 kW", `${value} W`]);
      expect(hintIn(problem)).to.equal(hint);
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
      const problem = outOfRange(power, value);
      expectFacts(problem, ["350 kW", `${value / 1000} kW`]);
      expect(hintIn(problem)).to.equal(hint);
    });
  }

  it("shows energies in their unit", () => {
    expectFacts(outOfRange({ ...power, unit: "Wh" }, 77_400_000), ["350 kWh", "77400 kWh", "77400 ", "77.4 kWh"]);
  });

  it("knows no kilodegrees", () => {
    const degrees: NumberSetting = { ...power, unit: "degrees", minimum: 10, maximum: 90 };
    for (const [value, limit] of [
      [1, "10°"],
      [35_000, "90°"],
    ] as const) {
      const problem = outOfRange(degrees, value);
      expectFacts(problem, [limit, `${value}°`]);
      expect(hintIn(problem)).to.equal(undefined);
    }
  });

  it("says who sets the limits, if it suggests nothing", () => {
    expectFacts(outOfRange({ ...power, source: "our choice" }, -5), ["provider"]);
    expectFacts(outOfRange({ ...power, source: "documented" }, -5), ["service documents"]);
    expect(outOfRange({ ...power, source: "our choice" }, 11)).to.not.contain("provider");
  });

  it("adds what the setting itself has to say", () => {
    const explain = (value: number) => `${value} is odd`;
    expectFacts(outOfRange({ ...power, explain }, 400_000), ["350 kW", "400 kW", "400000 is odd"]);
  });
});

describe("nearest", () => {
  const NAMES = ["maxCapacity", "tilt", "restore"];
  const words: readonly [word: string, candidates: readonly string[], near: string | undefined][] = [
    ["maxCapacity", NAMES, "maxCapacity"],
    ["max_capacity", NAMES, "maxCapacity"],
    ["maxCapaciXX", NAMES, "maxCapacity"],
    ["maxCapaXXX", NAMES, undefined],
    ["till", NAMES, "tilt"],
    ["tlit", NAMES, "tilt"],
    ["taxt", NAMES, undefined],
    ["til", NAMES, undefined],
    ["TIL", ["til"], "til"],
    // Opposites, several that are as close, and a known word that stands for none or for several.
    ["minCapacity", NAMES, undefined],
    ["restore", ["restored", "restores"], undefined],
    ["rest", ["reset", "restore"], undefined],
    ["slope", ["slopes"], undefined],
    ["power", ["maxChargePower", "peakPower"], undefined],
    ["power", ["peakPower", "tilt"], "peakPower"],
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
    expectFacts(didYouMean("longitude", ["latitude"]), ["remove", "latitude"]);
    expect(didYouMean("longitude", NAMES)).to.equal("");
  });
});

describe("typeName", () => {
  const names: [unknown, string][] = [
    [null, "null"],
    [undefined, "undefined"],
    [Number.NaN, "NaN"],
    [5, "5"],
    [[5], "a list"],
    [{ a: 5 }, "a group of keys"],
    [{}, "an empty group of keys, or a Date or BigInt"],
    ["5", "a text"],
    [true, "a boolean"],
    [new Map(), "a Map"],
    [new Date(0), "a Date"],
    [Symbol.iterator, "a symbol"],
    [() => 5, "a function"],
  ];
  for (const [value, name] of names) {
    it(`calls ${JSON.stringify(value)} (${String(value)}) ${name}`, () => {
      expect(typeName(value)).to.equal(name);
    });
  }
});
