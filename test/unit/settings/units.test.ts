import { expect } from "chai";
import fc from "fast-check";
import { kW, kWh, quantityText, unitFor } from "../../../provider/settings/units";

for (const [name, convert] of Object.entries({ kWh, kW })) {
  describe(name, () => {
    it("makes of every number of thousandths that many", () => {
      fc.assert(
        fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (whole) => {
          expect(convert(whole / 1000)).to.equal(whole);
        }),
      );
    });

    it("passes on what is no finite number, for the schema to refuse", () => {
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        expect(convert(value)).to.deep.equal(value);
      }
    });
  });
}

describe("unitFor", () => {
  const units: readonly [unit: string | undefined, values: readonly unknown[], name: string, factor: number][] = [
    ["W", [1000, 7200], " kW", 1000],
    ["W", [999, 7200], " W", 1],
    ["Wh", [-1000, 0], " kWh", 1000],
    ["Wh", [0], " Wh", 1],
    ["W", [], " W", 1],
    ["W", ["7200"], " W", 1],
    ["degrees", [1000], "°", 1],
    [undefined, [1000], "", 1],
  ];
  for (const [unit, values, name, factor] of units) {
    it(`is "${name}" for ${JSON.stringify(values)} in ${unit ?? "no unit"}`, () => {
      expect(unitFor(unit, values)).to.deep.equal({ name, factor });
    });
  }

  it("suits a value alone, or with those beside it", () => {
    expect(quantityText("W", 7400)).to.equal("7.4 kW");
    expect(quantityText("W", 7400, [900])).to.equal("7400 W");
  });
});
