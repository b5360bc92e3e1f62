import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { journalOf, leftBaselines } from "../../../cli/fleet/journal";
import type { Values } from "../../../provider/settings/setting";
import { temporaryFolder } from "../../support/folder";

const LINE = {
  ...{ time: "2026-11-23T11:00:00Z", run: "one", by: "ann@home", operation: "create", businessId: "acme" },
  outcome: "planned",
};
const CAR = { businessId: "acme", deviceId: "car" };

describe("cli fleet: baselines that an earlier run has left", () => {
  const path = temporaryFolder();
  const NOW = Date.parse("2026-11-23T12:00:00Z");
  const line = (deviceId: string, old: unknown, more: object = {}) =>
    JSON.stringify({ ...LINE, deviceId, changes: [{ key: "maxCapacity", old, new: 77_000 }], ...more });
  const left = (...lines: string[]) => {
    writeFileSync(path("baselines.jsonl"), `${lines.join("\n")}\n`);
    return leftBaselines([path("baselines.jsonl"), path("baselines-1-of-2.jsonl")], () => [], NOW);
  };

  it("are named by device, with their file", () => {
    const [first, ...devices] = left(line("car", 60_000), line("bike", 500));
    expect(first).to.contain(path("baselines.jsonl"));
    expect(devices).to.deep.equal(["  acme/car: maxCapacity was 60 kWh", "  acme/bike: maxCapacity was 500 Wh"]);
  });

  it("show no value of a secret setting", () => {
    const changes = [{ key: "maxCapacity", old: 61_987, new: 77_000, secret: true }];
    expect(left(line("car", 0, { changes }))[1]).to.equal("  acme/car: maxCapacity was [secret]");
  });

  it("do not exist without a journal, or in a journal without baselines", () => {
    expect(leftBaselines([path("baselines.jsonl")], () => [], NOW)).to.deep.equal([]);
    expect(left("{", line("car", undefined))).to.deep.equal([]);
  });

  it("are silent for settings that are no longer managed, and named once these are managed again", () => {
    left(line("car", 60_000, { outcome: "unmanaged" }));
    const leftFor = (values: Values) => leftBaselines([path("baselines.jsonl")], () => [[CAR, values]], NOW);
    expect(leftFor({ maxChargePower: 11_000 })).to.deep.equal([]);
    expect(leftFor({ maxCapacity: 80_000 })[1]).to.equal("  acme/car: maxCapacity was 60 kWh");
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
    expect(() => left(line("car", 1, { time: "2099-01-01T00:00:00Z" }))).to.throw("2099-01-01T00:00:00Z");
    expect(left(line("car", 1, { time: "2026-11-23T12:30:00Z" }))).to.have.length(2);
  });
});

describe("journalOf", () => {
  const path = temporaryFolder();
  const line = (outcome: string, key = "maxCapacity", more: object = {}) =>
    `${JSON.stringify({ ...LINE, ...CAR, changes: [{ key, old: 60_000, new: 77_000 }], outcome, ...more })}\n`;
  const claims = [[CAR, { maxCapacity: 77_000, maxChargePower: 11_000 }]] as const;
  const lines = () => readFileSync(path("baselines.jsonl"), "utf8").split("\n").filter(Boolean);
  const files = () => readdirSync(path(".")).sort();
  beforeEach(() => {
    for (const name of ["baselines.jsonl", "baselines-2-of-4.jsonl", "baselines-1-of-2.jsonl", "baselines-old.jsonl"]) {
      writeFileSync(path(name), line("planned"));
    }
  });

  it("names its own file, and those of all other parts", () => {
    const {
      files: [file, ...others],
    } = journalOf(path("."), { index: 2, count: 4 });
    expect(file).to.equal(path("baselines-2-of-4.jsonl"));
    expect(others).to.have.members([path("baselines.jsonl"), path("baselines-1-of-2.jsonl")]);
  });

  it("empties its own file when a part is complete: another part, which runs now, was given its name", () => {
    journalOf(path("."), { index: 2, count: 4 }).settle(() => ({ claims }));
    expect(readFileSync(path("baselines-2-of-4.jsonl"), "utf8")).to.equal("");
    for (const other of ["baselines-1-of-2.jsonl", "baselines.jsonl"]) {
      expect(readFileSync(path(other), "utf8")).to.equal(line("planned"));
    }
  });

  it("removes all when the whole fleet is complete, but for the baselines that are in no state", () => {
    for (const name of ["baselines.jsonl", "baselines-2-of-4.jsonl"]) {
      writeFileSync(path(name), line("planned", "maxChargePower"));
    }
    const lines = [line("unmanaged"), line("planned", "maxChargePower"), line("unmanaged", "maxChargePower")];
    writeFileSync(path("baselines-1-of-2.jsonl"), lines.join(""));
    journalOf(path("."), undefined).settle(() => ({ claims: [[CAR, { maxChargePower: 11_000 }]] }));
    const kept = readFileSync(path("baselines-1-of-2.jsonl"), "utf8");
    expect(JSON.parse(kept)).to.deep.equal(JSON.parse(line("unmanaged")));
    expect(files()).to.deep.equal(["baselines-1-of-2.jsonl", "baselines-old.jsonl"]);
  });

  it("keeps an update that no state has after a complete run, as one that nobody manages: it is not reported again", () => {
    journalOf(path("."), undefined).settle(() => ({ claims: [] }));
    expect(lines().map((text) => JSON.parse(text))).to.deep.equal([JSON.parse(line("unmanaged"))]);
    expect(leftBaselines([path("baselines.jsonl")], () => [])).to.deep.equal([]);
    expect(leftBaselines([path("baselines.jsonl")], () => claims)).to.have.length(2);
  });

  it("keeps, after a run that failed in part, only what neither state nor that run accounts for", () => {
    const other = { deviceId: "bike" };
    const own = { run: "two", stack: "shard-1-of-2" };
    const unsaved = line("planned", "maxCapacity", { ...other, run: "two", stack: "shard-2-of-2" });
    writeFileSync(
      path("baselines.jsonl"),
      [
        line("planned"),
        line("planned", "maxChargePower", { ...other, ...own }),
        line("planned", "maxChargePower", { ...other, ...own, run: "one" }),
        unsaved,
        line("planned", "policy", other),
        line("accepted", "policy", { ...other, operation: "delete" }),
        '{"outcome":"of a later version"}\n{"cut sh',
      ].join(""),
    );
    const part = { run: "two", saved: new Set(["shard-1-of-2"]) };
    journalOf(path("."), undefined).settle(() => ({ claims, part }));
    const expected = [
      line("planned", "maxChargePower", { ...other, ...own, run: "one" }),
      unsaved,
      '{"outcome":"of a later version"}\n',
    ];
    expect(lines().map((text) => JSON.parse(text))).to.deep.equal(expected.map((text) => JSON.parse(text)));
  });

  it("keeps each open line of a setting, whatever else was accepted", () => {
    const at = (service: string | undefined, businessId: string, deviceId: string, run = "one") => ({
      businessId,
      deviceId,
      run,
      ...(service && { service }),
    });
    const open = [
      line("planned", "tilt", at("https://a.example", "acme", "roof")),
      line("planned", "tilt", at("https://a.example", "acme", "roof", "two")),
    ];
    const others: readonly (readonly [string, string, string])[] = [
      ["https://b.example", "acme", "roof"],
      ["https://a.example", "bund", "roof"],
      ["https://a.example", "acme", "barn"],
    ];
    const accepted = others.flatMap((other) => [
      line("planned", "tilt", at(...other)),
      line("accepted", "tilt", at(...other)),
    ]);
    writeFileSync(path("baselines.jsonl"), [...open, ...accepted].join(""));
    const part = { run: "three", saved: new Set<string>() };
    journalOf(path("."), undefined).settle(() => ({ claims: [], part }));
    expect(lines().map((text) => JSON.parse(text))).to.deep.equal(open.map((text) => JSON.parse(text)));
  });

  it("keeps the baselines of a device with the same id at another service", () => {
    const left = JSON.stringify({ ...JSON.parse(line("unmanaged")), service: "https://other.example" });
    writeFileSync(path("baselines.jsonl"), `${left}\n`);
    const claims = [[CAR, { maxCapacity: 77_000 }]] as const;
    journalOf(path("."), undefined).settle(() => ({ claims, service: "https://api.example" }));
    expect(files()).to.include("baselines.jsonl");
    journalOf(path("."), undefined).settle(() => ({ claims, service: "https://other.example" }));
    expect(files()).not.to.include("baselines.jsonl");
  });
});
