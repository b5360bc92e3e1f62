import { expect } from "chai";
import { bearingHint, outOfRange } from "../../../provider/settings/explain";
import type { NumberSetting } from "../../../provider/settings/setting";

describe("outOfRange", () => {
  const power: NumberSetting = {
    type: "number",
    wireName: "power",
    unit: "W",
    minimum: 1000,
    maximum: 350_000,
    source: "interface 2.5",
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

  it("knows no kilodegrees", () => {
    expect(outOfRange({ ...power, unit: "degrees", minimum: 10 }, 1)).to.equal("1 degrees is below 10 degrees");
  });

  it("adds what the setting itself has to say", () => {
    const explain = (value: number) => `${value} is odd`;
    expect(outOfRange({ ...power, explain }, 400_000)).to.equal("400000 W is above 350000 W; 400000 is odd");
  });
});

describe("bearingHint", () => {
  // Value, bearing if counted from south, from north counter-clockwise, from north clockwise.
  const conventions: [number, number, number, number][] = [
    [-45, 135, 45, 315],
    [-90, 90, 90, 270],
    [-180, 0, 180, 180],
    [-270, 270, 270, 90],
    [-1, 179, 1, 359],
    [-360, 180, 0, 0],
  ];
  for (const [value, fromSouth, counterClockwise, clockwise] of conventions) {
    it(`says what ${value} would be in the three usual conventions`, () => {
      expect(bearingHint(value)).to.equal(
        "azimuth is a compass bearing (0 north, 90 east, clockwise): " +
          `write ${fromSouth} if it was counted from south with east negative (forecast.solar, PVGIS, Open-Meteo), ` +
          `${counterClockwise} if from north with east negative (Solcast), ${clockwise} if clockwise from north`,
      );
    });
  }

  const fractions: [number, number, number, number][] = [
    [-30.3, 149.7, 30.3, 329.7],
    [-0.1, 179.9, 0.1, 359.9],
  ];
  for (const [value, fromSouth, counterClockwise, clockwise] of fractions) {
    it(`says it of ${value} without the digits of binary fractions`, () => {
      expect(bearingHint(value)).to.match(
        new RegExp(` write ${fromSouth} if .*, ${counterClockwise} if .*, ${clockwise} if clockwise from north$`),
      );
    });
  }

  it("does not guess at a value that is no angle in any of them", () => {
    for (const value of [361, 720, -361]) {
      expect(bearingHint(value)).to.equal("azimuth is a compass bearing (0 north, 90 east, clockwise)");
    }
  });
});
