import { expect } from "chai";
import { serviceLine, tableOf } from "../../../bench/report";
import type { Result } from "../../../bench/result";
import { result } from "./results";

/** The rows of the table of solar sites, each by its column. */
function rowsOf(results: Result[]): Record<string, string>[] {
  const [header = [], , ...rows] = tableOf(results, "sites")
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
    expect(row).to.include({ devices: "100", operation: "first up", who: "ours", s: "3.0 (2.0–4.0)" });
    expect(row).to.include({ "CPU s": "5.0", "peak MB": "400", "state KB": "141", GET: "200", PATCH: "100" });
  });

  it("has the time of ours beside each other one", () => {
    const rows = rowsOf([result({ seconds: 3 }), result({ contestant: "floor", seconds: 2 })]);
    expect(rows.map((row) => row["time, ours ÷ this"])).to.deep.equal(["", "1.50"]);
  });

  it("has no row for what was not measured", () => {
    const rows = rowsOf([
      result({ operation: "preview" }),
      result(),
      result({ contestant: "script" }),
      result({ devices: 5000 }),
    ]);
    expect(rows.map(({ devices, operation, who }) => `${devices} ${operation} ${who}`)).to.deep.equal([
      "100 first up ours",
      "100 first up script",
      "100 preview ours",
      "5000 first up ours",
    ]);
  });

  it("has one job", () => {
    expect(rowsOf([result({ job: "vehicles" })])).to.deep.equal([]);
  });

  it("has an empty cell without state", () => {
    expect(rowsOf([result({ stateBytes: undefined })])[0]).to.include({ "state KB": "" });
  });
});

describe("serviceLine", () => {
  it("names the operation in which the service was busiest", () => {
    const script = result({ contestant: "script", seconds: 2, serviceCpuSeconds: 1 });
    expect(serviceLine([result(), script, result({ operation: "refresh" })]))
      .to.include("50 %")
      .and.include("script");
  });
});
