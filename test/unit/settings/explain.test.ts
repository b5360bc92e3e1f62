import { expect } from "chai";
import { outOfRange, typeName } from "../../../provider/settings/explain";
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
    expect(outOfRange(power, -5)).to.equal("-5 W is below 1000 W");
    expect(outOfRange(power, 350_001)).to.equal("350001 W is above 350000 W");
  });

  const kilo: [number, string | undefined][] = [
    [77, "77 kW is 77000"],
    [7.2, "7.2 kW is 7200"],
    [1.1, "1.1 kW is 1100"],
    [1, "1 kW is 1000"],
    [350, "350 kW is 350000"],
    [0.999, undefined],
    [350.001, undefined],
    [0, undefined],
    [-11, undefined],
  ];
  for (const [value, hint] of kilo) {
    it(`takes ${value} for ${hint ? "kilowatts" : "no kilowatts, which would be out of range too"}`, () => {
      const expected = `${value} W is below 1000 W${hint ? `; ${hint}` : ""}`;
      expect(outOfRange(power, value)).to.equal(expected);
    });
  }

  const multipliedTwice: [number, string | undefined][] = [
    [11_000_000, '11000 W may be meant: write "11 kW" or kW(11)'],
    [7_200_000, '7200 W may be meant: write "7.2 kW" or kW(7.2)'],
    [1_000_000, '1000 W may be meant: write "1 kW" or kW(1)'],
    [350_000_000, '350000 W may be meant: write "350 kW" or kW(350)'],
    [999_999, undefined],
    [350_000_001, undefined],
  ];
  for (const [value, hint] of multipliedTwice) {
    it(`takes ${value} for ${hint ? "watts that were given to kW()" : "nothing else, whose thousandth is out of range too"}`, () => {
      expect(outOfRange(power, value)).to.equal(`${value} W is above 350000 W${hint ? `; ${hint}` : ""}`);
    });
  }

  it("names the function of the unit", () => {
    expect(outOfRange({ ...power, unit: "Wh" }, 77_400_000)).to.equal(
      '77400000 Wh is above 350000 Wh; 77400 Wh may be meant: write "77.4 kWh" or kWh(77.4)',
    );
  });

  it("knows no kilodegrees", () => {
    const degrees: NumberSetting = { ...power, unit: "degrees", minimum: 10, maximum: 90 };
    expect(outOfRange(degrees, 1)).to.equal("1 degrees is below 10 degrees");
    expect(outOfRange(degrees, 35_000)).to.equal("35000 degrees is above 90 degrees");
  });

  it("adds what the setting itself has to say", () => {
    const explain = (value: number) => `${value} is odd`;
    expect(outOfRange({ ...power, explain }, 400_000)).to.equal("400000 W is above 350000 W; 400000 is odd");
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
