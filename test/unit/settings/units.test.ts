import { expect } from "chai";
import fc from "fast-check";
import { kW, kWh } from "../../../provider/settings/units";

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
