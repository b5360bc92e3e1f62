import { expect } from "chai";
import { goalsOf, goalsTable, isMet } from "../../../bench/goals";
import type { Result } from "../../../bench/result";
import { result } from "./results";

const measured = (results: Result[], what: string) => goalsOf(results).find((one) => one.what === what)?.values;

describe("goalsOf", () => {
  const at = (devices: number, seconds: number, some: Partial<Result> = {}) => result({ devices, seconds, ...some });
  const theirs = { contestant: "terraform" };

  it("has none about what was not measured", () => {
    expect(goalsOf([result({ devices: 100, operation: "drift repair" })])).to.deep.equal([]);
  });

  it("compares ours with Terraform at 500", () => {
    expect(measured([at(500, 12), at(500, 16, theirs)], "first up of 500, ours ÷ terraform")).to.deep.equal([0.75]);
  });

  it("compares like with like, and with what Terraform does without options", () => {
    const results = [
      at(500, 3, { operation: "preview" }),
      at(500, 2, { ...theirs, operation: "preview" }),
      at(500, 4, { ...theirs, operation: "preview, reading" }),
    ];
    expect(measured(results, "preview of 500, ours ÷ terraform")).to.deep.equal([1.5]);
    expect(measured(results, "preview of 500, ours ÷ terraform, which reads")).to.deep.equal([0.75]);
  });

  it("allows a first preview twice the time of Terraform's", () => {
    const operation = "first preview";
    const [goal] = goalsOf([at(500, 2, { operation }), at(500, 1, { ...theirs, operation })]);
    expect(goal).to.include({ aim: "≤", limit: 2 });
  });

  it("looks at the time of 5,000", () => {
    expect(measured([at(5000, 130)], "first up of 5000")).to.deep.equal([130]);
  });

  it("compares the time per device at 5,000 with that at 500, by medians", () => {
    const results = [at(500, 9), at(500, 10), at(500, 12), at(5000, 50)];
    expect(measured(results, "first up, time per device at 5000 ÷ at 500")).to.deep.equal([0.5]);
  });

  it("counts the requests for each device of each round, at all sizes", () => {
    const results = [result(), result({ devices: 10, calls: { GET: 22, PATCH: 10 } })];
    expect(measured(results, "first up, requests for each device, at all sizes")).to.deep.equal([3, 3.2]);
  });

  it("leaves vehicles without sites and other contestants out", () => {
    const others = [result({ job: "vehicles", devices: 5000 }), result({ contestant: "script", devices: 5000 })];
    expect(goalsOf(others)).to.deep.equal([]);
  });
});

describe("isMet", () => {
  const some = { what: "it", digits: 2, unit: "", limit: 1 };

  it("takes the median of the rounds", () => {
    expect(isMet({ ...some, aim: "≤", values: [0.8, 0.9, 2] })).to.equal(true);
    expect(isMet({ ...some, aim: "≤", values: [0.8, 1.1, 1.2] })).to.equal(false);
  });

  it("accepts the limit itself only if the aim includes it", () => {
    expect(isMet({ ...some, aim: "≤", values: [1] })).to.equal(true);
    expect(isMet({ ...some, aim: "<", values: [1] })).to.equal(false);
  });

  it("accepts no exception to an exact number", () => {
    expect(isMet({ ...some, aim: "=", values: [1, 1] })).to.equal(true);
    expect(isMet({ ...some, aim: "=", values: [1, 1, 1.01] })).to.equal(false);
  });
});

describe("goalsTable", () => {
  it("has a sentence if the results are about no goal", () => {
    expect(goalsTable([])).to.equal("The goals are about other sizes.");
  });

  it("has what was measured, what was aimed at, and whether it was met", () => {
    const calls = { GET: 5000, PATCH: 1 };
    const table = goalsTable([
      result({ devices: 5000, seconds: 130, calls: { GET: 10_000, PATCH: 5000 } }),
      result({ devices: 5000, seconds: 14.5, operation: "refresh", calls }),
    ]);
    expect(table.split("\n").slice(2)).to.deep.equal([
      "| first up of 5000 | 130.0 s | ≤ 40 s | not met |",
      "| refresh of 5000 | 14.5 s | ≤ 15 s | met |",
      "| first up, requests for each device, at all sizes | 3.000 | = 3 | met |",
      "| refresh, requests for each device, at all sizes | 1.000 | = 1 | not met |",
    ]);
  });
});
