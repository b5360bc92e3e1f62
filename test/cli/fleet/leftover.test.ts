import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { leftBaselines } from "../../../cli/fleet/leftover";
import { temporaryFolder } from "../../support/folder";

describe("cli fleet: baselines that an earlier run has left", () => {
  const path = temporaryFolder();
  const NOW = Date.parse("2026-11-23T12:00:00Z");
  const line = (deviceId: string, old: unknown, time = "2026-11-23T11:00:00Z") =>
    JSON.stringify({
      ...{ time, run: "one", by: "ann@home", operation: "create", businessId: "acme", deviceId, outcome: "planned" },
      changes: [{ key: "maxCapacity", old, new: 77_000 }],
    });
  const left = (...lines: string[]) => {
    writeFileSync(path("baselines.jsonl"), `${lines.join("\n")}\n`);
    return leftBaselines([path("baselines.jsonl"), path("baselines-1-of-2.jsonl")], NOW);
  };

  it("are named by device, with their file", () => {
    const [first, ...devices] = left(line("car", 60_000), line("bike", 500));
    expect(first).to.contain(path("baselines.jsonl"));
    expect(devices).to.deep.equal(["  acme/car: maxCapacity was 60 kWh", "  acme/bike: maxCapacity was 500 Wh"]);
  });

  it("do not exist without a journal, or in a journal without baselines", () => {
    expect(leftBaselines([path("baselines.jsonl")], NOW)).to.deep.equal([]);
    expect(left("{", line("car", undefined))).to.deep.equal([]);
  });

  it("are counted if they are many", () => {
    const devices = left(...Array.from({ length: 30 }, (_, index) => line(`car-${index}`, 1)));
    expect(devices).to.have.length(22);
    expect(devices.at(-1)).to.contain("10 more");
  });

  it("move no cursor of a terminal", () => {
    expect(left(line("\u001b[2Jcar\u202e", "\u001b")).join("")).not.to.match(/[\p{Cc}\p{Cf}]/u);
  });

  it("are refused if a line is from the future, which no run of ours wrote", () => {
    expect(() => left(line("car", 1, "2099-01-01T00:00:00Z"))).to.throw("2099-01-01T00:00:00Z");
    expect(left(line("car", 1, "2026-11-23T12:30:00Z"))).to.have.length(2);
  });
});
