import { expect } from "chai";
import { median, ratiosTo, spread } from "../../../bench/result";
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

describe("ratiosTo", () => {
  const rounds = (contestant: string, ...seconds: number[]) =>
    seconds.map((one) => result({ contestant, seconds: one }));

  it("divides the time of ours by that of the other in the same round", () => {
    const results = [...rounds("ours", 3, 8), ...rounds("floor", 2, 4)];
    expect(ratiosTo("floor", results, 100, "first up")).to.deep.equal([1.5, 2]);
  });

  it("leaves out rounds that the other has not had", () => {
    const results = [...rounds("ours", 3, 8), ...rounds("floor", 2)];
    expect(ratiosTo("floor", results, 100, "first up")).to.deep.equal([1.5]);
  });

  it("compares nothing of another size or operation", () => {
    const results = [...rounds("ours", 3), ...rounds("floor", 2).map((one) => ({ ...one, vehicles: 500 }))];
    expect(ratiosTo("floor", results, 100, "first up")).to.deep.equal([]);
    expect(ratiosTo("ours", results, 100, "refresh")).to.deep.equal([]);
  });
});
