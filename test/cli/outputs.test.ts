import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { COMMANDS } from "../../cli/program/program";
import { givenCommandLine } from "../support/commandLine";
import { recorded } from "../unit/cli/review/previews";

/** A file of the user that no command has written. */
const FOREIGN = "notes: they stay\n";

/** Command lines that name a file of the user as their output, each for one option. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  "adopt --output": ["adopt", "car", "--output", "notes.yaml"],
  "adopt --importFile": ["adopt", "car", "--import-file", "notes.yaml"],
  "measure --write": ["measure", "--manifest", "fleet.yaml", "--sessions", "none.csv", "--write", "notes.yaml"],
  "review --approve": ["review", "--approve", "notes.yaml", "preview.json"],
};

/** An option of a command that needs an engine, which test/cli/fleet/driver.test.ts tries. */
const WITH_ENGINE = "status --output";

describe("cli: a file of the user that stands in the place of an output", () => {
  const given = givenCommandLine({
    businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } } } },
  });
  const { path } = given;
  beforeEach(() => {
    writeFileSync(path("notes.yaml"), FOREIGN);
    writeFileSync(path("fleet.yaml"), "fleet: a\nsites: { b: { vehicles: { c: { deviceId: car } } } }\n");
    writeFileSync(path("preview.json"), recorded("mistakes"));
  });

  for (const [option, args] of Object.entries(OUTPUTS)) {
    it(`stays, and ${option} names it`, async () => {
      const { code, stderr } = await given.run(args);
      expect(code).to.equal(1);
      expect(stderr).to.contain("notes.yaml");
      expect(readFileSync(path("notes.yaml"), "utf8")).to.equal(FOREIGN);
    });
  }

  it("stays, if a preview of a list of files is meant", async () => {
    for (const part of ["part-1.json", "part-2.json"]) writeFileSync(path(part), recorded("mistakes"));
    expect((await given.run(["review", "--approve", "part-1.json", "part-2.json"])).code).to.equal(1);
    expect(readFileSync(path("part-1.json"), "utf8")).to.equal(recorded("mistakes"));
  });

  it("is tried here for each option with an output", async () => {
    const found: string[] = [];
    for (const { name, load } of COMMANDS) {
      const record = await load();
      if ("commands" in record) continue;
      for (const [key, { value, description }] of Object.entries(record.options))
        if (value === "<file>" && /\bwrite\b/.test(description) && key !== "measured") found.push(`${name} --${key}`);
    }
    expect(found.sort()).to.deep.equal([...Object.keys(OUTPUTS), WITH_ENGINE].sort());
  });
});
