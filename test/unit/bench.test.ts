import { expect } from "chai";
import { withNumbers } from "../../bench/document";
import { goalsOf, isMet } from "../../bench/goals";
import { tablesOf } from "../../bench/report";
import { median, type Result, ratios, spread } from "../../bench/result";
import { CHANGED, deviceCount, devicesBefore, devicesOf } from "../../bench/workload";

/** A round of a first `up` of a fleet with 20 sites, which took a second. @param some other values */
function result(some: Partial<Result> = {}): Result {
  return {
    contestant: "fleet",
    devices: 100,
    operation: "first up",
    seconds: 1,
    cpuSeconds: 2,
    peakMegabytes: 300,
    calls: { GET: 200, PATCH: 100 },
    serviceCpuSeconds: 0.25,
    stateBytes: 140_000,
    ...some,
  };
}

describe("withNumbers", () => {
  const [BEGIN, END] = ["<!-- numbers: npm run bench -->", "<!-- end of numbers -->"];

  it("replaces exactly what is between the marks, and refuses a text without them", () => {
    const text = `# Title\n\n${BEGIN}\n\nold\n\n| old |\n\n${END}\n\n## More\n`;
    const once = withNumbers(text, ["new", "| new |"]);
    expect(once).to.equal(`# Title\n\n${BEGIN}\n\nnew\n\n| new |\n\n${END}\n\n## More\n`);
    expect(withNumbers(once, ["new", "| new |"])).to.equal(once);
    for (const other of ["no mark", BEGIN, END, `${END}\n${BEGIN}`])
      expect(() => withNumbers(other, [])).to.throw(BEGIN);
  });
});

describe("median, spread and ratios", () => {
  const rounds = (contestant: string, ...seconds: number[]) =>
    seconds.map((one) => result({ contestant, seconds: one }));
  const [ours, floor] = [result(), result({ contestant: "floor" })];

  it("are those of any number of values, in any order", () => {
    expect([median([9, 1, 5]), median([10, 1, 2, 4]), median([7])]).to.deep.equal([5, 3, 7]);
    expect(median([])).to.be.NaN;
    expect(spread([1.21, 0.98, 1.1], 2)).to.equal("1.10 (0.98–1.21)");
    expect([spread([1.104], 2), spread([], 2)]).to.deep.equal(["1.10", ""]);
  });

  it("compare the times of the same round and case, and leave out rounds that the other has not had", () => {
    expect(ratios([...rounds("fleet", 3, 8), ...rounds("floor", 2, 4)], ours, floor)).to.deep.equal([1.5, 2]);
    expect(ratios([...rounds("fleet", 3, 8), ...rounds("floor", 2)], ours, floor)).to.deep.equal([1.5]);
    for (const other of [{ devices: 500 }, { operation: "refresh" }] as const) {
      const others = rounds("floor", 2).map((one) => ({ ...one, ...other }));
      expect(ratios([...rounds("fleet", 3), ...others], ours, floor)).to.deep.equal([]);
    }
  });
});

const measured = (results: Result[], what: string) => goalsOf(results).find((one) => one.what === what)?.values;

describe("goalsOf", () => {
  const at = (devices: number, seconds: number, some: Partial<Result> = {}) => result({ devices, seconds, ...some });
  const theirs = { contestant: "terraform" };

  it("has no result for operations that were not measured", () => {
    expect(goalsOf([result({ devices: 100, operation: "drift repair" })])).to.deep.equal([]);
  });

  it("compares a fleet with Terraform at 1,000 devices", () => {
    expect(measured([at(1000, 12), at(1000, 16, theirs)], "first up of 1000, fleet ÷ Terraform")).to.deep.equal([0.75]);
  });

  it("compares a change with a preview of the same program", () => {
    const dynamic = { contestant: "dynamic" };
    const results = [
      at(1000, 6, { ...dynamic, operation: "one change" }),
      at(1000, 4, { ...dynamic, operation: "preview" }),
    ];
    expect(measured(results, "one change of 1000 ÷ preview, dynamic")).to.deep.equal([1.5]);
  });

  it("counts the requests for each device of each round, at all sizes", () => {
    const results = [result(), result({ devices: 10, calls: { GET: 22, PATCH: 10 } })];
    expect(measured(results, "first up, requests for each device, fleet")).to.deep.equal([3, 3.2]);
  });
});

describe("tablesOf", () => {
  it("has a table for each size, with the medians of the contestants that were measured", () => {
    const results = [
      result({ seconds: 1, cpuSeconds: 4 }),
      result({ seconds: 3, cpuSeconds: 2 }),
      result({ contestant: "yaml", peakMegabytes: 120, stateBytes: undefined }),
      result({ contestant: "yaml", operation: "refresh", seconds: 7, stateBytes: undefined }),
      result({ devices: 10 }),
    ];
    const [first = "", second = "", ...more] = tablesOf(results).map((table) => table.split("\n"));
    expect(more).to.deep.equal([]);
    expect(first[0]).to.equal("| 100 devices: s (CPU s) | plugin, YAML | `fleet` |");
    expect(first).to.include.members([
      "| first up | 1.0 (2.0) | 2.0 (3.0) |",
      "| refresh | 7.0 (2.0) |  |",
      "| preview |  |  |",
      "| most memory, MB | 300 | 300 |",
      "| state, KB |  | 140 |",
    ]);
    expect(second[0]).to.equal("| 10 devices: s (CPU s) | `fleet` |");
  });
});

describe("isMet", () => {
  for (const [what, aim, values, met] of [
    ["takes the median of the rounds", "≤", [0.8, 0.9, 2], true],
    ["takes no other round", "≤", [0.8, 1.1, 1.2], false],
    ["accepts the limit itself", "≤", [1], true],
    ["accepts an exact number", "=", [1, 1], true],
    ["accepts no exception to it", "=", [1, 1, 1.01], false],
  ] as const) {
    it(what, () => expect(isMet({ what: "it", digits: 2, unit: "", limit: 1, aim, values })).to.equal(met));
  }
});

const SITES = 3;

describe("the workload", () => {
  it("has as many devices as it counts", () => {
    expect(Object.keys(devicesOf(SITES))).to.have.length(deviceCount(SITES));
    expect(Object.keys(devicesBefore(SITES))).to.have.length(deviceCount(SITES));
  });

  it("changes each setting of each device, because otherwise no request would be needed", () => {
    const before = devicesBefore(SITES);
    for (const [id, { settings }] of Object.entries(devicesOf(SITES))) {
      for (const [key, value] of Object.entries(settings)) expect(before[id]?.settings[key], key).not.to.equal(value);
    }
  });

  it("changes the declaration of one setting of one device", () => {
    const [once, again] = [devicesOf(SITES), devicesOf(SITES, 1)];
    const changed = Object.keys(once).filter((id) => JSON.stringify(once[id]) !== JSON.stringify(again[id]));
    expect(changed).to.deep.equal([CHANGED]);
    expect(again[CHANGED]?.settings).to.deep.equal({ ...once[CHANGED]?.settings, max_capacity: 1 });
  });
});
