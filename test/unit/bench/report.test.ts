import { expect } from "chai";
import { serviceLine, tableOf } from "../../../bench/report";
import type { Result } from "../../../bench/result";
import { result } from "./results";

/** The rows of the table, each by its column. */
function rowsOf(results: Result[]): Record<string, string>[] {
  const [header = [], , ...rows] = tableOf(results)
    .split("\n")
    .map((line) => line.slice(2, -2).split(" | "));
  return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])));
}

describe("tableOf", () => {
  it("has the medians of the rounds, and the spread of the times", () => {
    const [row] = rowsOf([
      result({ seconds: 2, cpuSeconds: 4, peakMegabytes: 300, stateBytes: 140_000 }),
      result({ seconds: 4, cpuSeconds: 8, peakMegabytes: 500, stateBytes: 142_000 }),
      result({ seconds: 3, cpuSeconds: 5, peakMegabytes: 400, stateBytes: 141_000 }),
    ]);
    expect(row).to.include({ vehicles: "100", operation: "first up", who: "ours", s: "3.0 (2.0–4.0)" });
    expect(row).to.include({ "CPU s": "5.0", "peak MB": "400", "state KB": "141", GET: "200", PATCH: "100" });
  });

  it("has the time of ours beside each other one", () => {
    const rows = rowsOf([result({ seconds: 3 }), result({ contestant: "floor", seconds: 2 })]);
    expect(rows.map((row) => row["time, ours ÷ this"])).to.deep.equal(["", "1.50"]);
  });

  it("says how busy the service was", () => {
    const [row] = rowsOf([result({ seconds: 2, serviceCpuSeconds: 0.5 })]);
    expect(row).to.include({ "service busy, %": "25" });
  });

  it("says that a contestant was not run at a size", () => {
    const terraform = result({ contestant: "terraform" });
    const rows = rowsOf([result(), terraform, result({ vehicles: 5000 })]);
    expect(rows.at(-1)).to.include({ vehicles: "5000", who: "terraform", s: "not run", "peak MB": "" });
  });

  it("leaves out an operation that a contestant does not have", () => {
    const rows = rowsOf([result({ operation: "preview" }), result(), result({ contestant: "script" })]);
    expect(rows.map(({ operation, who }) => `${operation} ${who}`)).to.deep.equal([
      "first up ours",
      "first up script",
      "preview ours",
    ]);
  });

  it("has an empty cell where there is no state", () => {
    expect(rowsOf([result({ stateBytes: undefined })])[0]).to.include({ "state KB": "" });
  });
});

describe("serviceLine", () => {
  it("tells the service's CPU time for its requests, whoever made them", () => {
    const calls = { GET: 300, PATCH: 200 };
    const results = [
      result({ calls, serviceCpuSeconds: 0.2 }),
      result({ contestant: "script", calls, serviceCpuSeconds: 0.3 }),
    ];
    expect(serviceLine(results)).to.include("0.50 s of CPU time for 1,000 requests");
  });

  it("leaves out what made no requests", () => {
    const idle = result({ contestant: "floor", calls: { GET: 0, PATCH: 0 }, serviceCpuSeconds: 9 });
    expect(serviceLine([idle, result({ calls: { GET: 500, PATCH: 0 }, serviceCpuSeconds: 0.2 })])).to.include("0.40 s");
  });
});
