import { expect } from "chai";
import { goalsOf, goalsTable, isMet } from "../../../bench/goals";
import type { Result } from "../../../bench/result";
import { result } from "./results";

const goal = (results: Result[], what: string) => goalsOf(results).find((one) => one.what === what);
const measured = (results: Result[], what: string) => goal(results, what)?.values;

describe("goalsOf", () => {
  const at = (vehicles: number, seconds: number, contestant = "ours") => result({ vehicles, seconds, contestant });

  it("says nothing about what was not measured", () => {
    expect(goalsOf([result({ vehicles: 20 })])).to.deep.equal([]);
  });

  it("compares ours with the floor, at 100 and at 500", () => {
    const results = [at(100, 3), at(100, 2, "floor"), at(500, 11), at(500, 10, "floor")];
    expect(measured(results, "first up of 100, ours ÷ floor")).to.deep.equal([1.5]);
    expect(measured(results, "first up of 500, ours ÷ floor")).to.deep.equal([1.1]);
  });

  it("compares a refresh also with the floor that waits as long as the service", () => {
    const results = [at(100, 3), at(100, 2, "waiting floor")].map((one) => ({ ...one, operation: "refresh" as const }));
    expect(measured(results, "refresh of 100, ours ÷ waiting floor")).to.deep.equal([1.5]);
  });

  it("looks at the time of 5,000", () => {
    expect(measured([at(5000, 130)], "first up of 5000, in shards")).to.deep.equal([130]);
  });

  it("compares the time per vehicle at 5,000 with that at 500, by medians", () => {
    const results = [at(500, 9), at(500, 10), at(500, 12), at(5000, 150)];
    expect(measured(results, "first up, time per vehicle at 5000 ÷ at 500")).to.deep.equal([1.5]);
  });

  it("compares ours with Terraform at 500", () => {
    expect(measured([at(500, 12), at(500, 16, "terraform")], "first up of 500, ours ÷ terraform")).to.deep.equal([
      0.75,
    ]);
  });

  it("compares the most memory per vehicle with that at the next smaller size", () => {
    const using = (vehicles: number, peakMegabytes: number) => result({ vehicles, peakMegabytes });
    const results = [using(20, 200), using(40, 300), { ...using(40, 360), operation: "refresh" as const }];
    expect(goal(results, "peak memory per vehicle at 40, beside that at 20")).to.include({ limit: 10_000 });
    expect(measured(results, "peak memory per vehicle at 40, beside that at 20")).to.deep.equal([9_000]);
  });
});

describe("isMet", () => {
  const some = { what: "it", digits: 2, unit: "", limit: 1 };

  it("counts the median", () => {
    expect(isMet({ ...some, isReached: true, values: [0.8, 0.9, 2] })).to.equal(true);
    expect(isMet({ ...some, isReached: true, values: [0.8, 1.1, 1.2] })).to.equal(false);
  });

  it("takes the limit itself only where it may be reached", () => {
    expect(isMet({ ...some, isReached: true, values: [1] })).to.equal(true);
    expect(isMet({ ...some, isReached: false, values: [1] })).to.equal(false);
  });
});

describe("goalsTable", () => {
  it("says where the results are about no goal", () => {
    expect(goalsTable([result({ vehicles: 20 })])).to.equal("The goals are about other sizes.");
  });

  it("has what was measured, what was aimed at, and whether it was met", () => {
    const table = goalsTable([
      result({ vehicles: 5000, seconds: 130 }),
      result({ vehicles: 5000, seconds: 59.5, operation: "preview" }),
    ]);
    expect(table.split("\n").slice(2)).to.deep.equal([
      "| first up of 5000, in shards | 130.0 s | ≤ 120 s | not met |",
      "| preview of 5000, in shards | 59.5 s | ≤ 60 s | met |",
    ]);
  });
});
