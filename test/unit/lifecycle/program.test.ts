import { expect } from "chai";
import fc from "fast-check";
import { isUnknown, knownFacts, UNKNOWN } from "../../../provider/lifecycle/program";

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

  it("is true wherever in a value the unknown one is", () => {
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => isUnknown({ a, b: [b, { c: [UNKNOWN, a] }] })));
  });
});

describe("knownFacts", () => {
  it("leaves out the facts that are not known yet", () => {
    expect(
      knownFacts({ urn: "urn:1", hasInverter: UNKNOWN, isPreview: null, live: { problem: "gone" } }),
    ).to.deep.equal({
      urn: "urn:1",
      live: { problem: "gone" },
    });
  });

  for (const none of [undefined, null, UNKNOWN, {}]) {
    it(`is empty for ${JSON.stringify(none)?.replace(UNKNOWN, "unknown")}`, () => {
      const { urn, isPreview, hasInverter, live, liveDevices } = knownFacts(none);
      expect([urn, isPreview, hasInverter, live, liveDevices]).to.deep.equal(Array(5).fill(undefined));
    });
  }
});
