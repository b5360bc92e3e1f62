import { expect } from "chai";
import fc from "fast-check";
import { isUnknown, UNKNOWN } from "../../../../provider/settings/objects";

describe("isUnknown", () => {
  for (const unknown of [
    UNKNOWN,
    [UNKNOWN],
    { degrees: UNKNOWN, convention: "solcast" },
    { a: { b: [{ c: UNKNOWN }] } },
  ]) {
    it(`is true for ${JSON.stringify(unknown).replaceAll(UNKNOWN, "…")}`, () => {
      expect(isUnknown(unknown)).to.equal(true);
    });
  }

  it("is false for everything else, also for text around the sign of an unknown value", () => {
    for (const known of [undefined, null, 0, Number.NaN, "", `${UNKNOWN} `, [], {}, { [UNKNOWN]: 1 }]) {
      expect(isUnknown(known), JSON.stringify(known)).to.equal(false);
    }
    fc.assert(fc.property(fc.jsonValue(), (value) => !isUnknown(value)));
  });
});
