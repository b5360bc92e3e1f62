import { expect } from "chai";
import { median, ratios, spread } from "../../../bench/result";
import { result } from "./results";

describe("median", () => {
  it("is the middle one of an odd number of values, in any order", () => {
    expect(median([9, 1, 5])).to.equal(5);
  });

  it("is halfway between the two in the middle of an even number", () => {
    expect(median([10, 1, 2, 4])).to.equal(3);
  });

  it("is that of one value", () => {
    expect(median([7])).to.equal(7);
  });

  it("is no number without values", () => {
    expect(median([])).to.be.NaN;
  });
});

describe("spread", () => {
  it("is the median with the least and the greatest", () => {
    expect(spread([1.21, 0.98, 1.1], 2)).to.equal("1.10 (0.98–1.21)");
  });

  it("is a single value alone", () => {
    expect(spread([1.104], 2)).to.equal("1.10");
  });

  it("is empty without values", () => {
    expect(spread([], 2)).to.equal("");
  });
});

describe("ratios", () => {
  const rounds = (contestant: string, ...seconds: number[]) =>
    seconds.map((one) => result({ contestant, seconds: one }));
  const [ours, floor] = [result(), result({ contestant: "floor" })];

  it("divides the times of the same round", () => {
    const results = [...rounds("ours", 3, 8), ...rounds("floor", 2, 4)];
    expect(ratios(results, ours, floor)).to.deep.equal([1.5, 2]);
  });

  it("leaves out rounds that the other has not had", () => {
    const results = [...rounds("ours", 3, 8), ...rounds("floor", 2)];
    expect(ratios(results, ours, floor)).to.deep.equal([1.5]);
  });

  for (const other of [{ devices: 500 }, { operation: "refresh" }, { job: "vehicles" }] as const) {
    it(`takes no rounds of another case: ${JSON.stringify(other)}`, () => {
      const results = [...rounds("ours", 3), ...rounds("floor", 2).map((one) => ({ ...one, ...other }))];
      expect(ratios(results, ours, floor)).to.deep.equal([]);
    });
  }
});
