import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { AnyCommand, CommandEntry } from "../../../cli/command/record";
import { COMMANDS } from "../../../cli/program/program";
import { ROOT } from "../../support/project";

/** The commands by their full names. The operations of a fleet share one schema. */
async function commandsIn(entries: readonly CommandEntry[], before = ""): Promise<[string, AnyCommand][]> {
  const all = entries.map(async ({ name, load }): Promise<[string, AnyCommand][]> => {
    const loaded = await load();
    return "commands" in loaded ? await commandsIn(loaded.commands, `${name} `) : [[`${before}${name}`, loaded]];
  });
  return (await Promise.all(all)).flat();
}

describe("commands", () => {
  it("have an option for each form of their output", async () => {
    for (const [name, { options, show }] of await commandsIn(COMMANDS)) {
      for (const form of Object.keys(show).filter((one) => one !== "text")) {
        expect(options, name).to.have.property(form);
      }
    }
  });

  it("print JSON, each in the published schema, but for the one that prints a program", async () => {
    const { properties } = JSON.parse(readFileSync(join(ROOT, "schema/output.schema.json"), "utf8"));
    const withJson = (await commandsIn(COMMANDS)).filter(([, { show }]) => show.json).map(([name]) => name);
    const published = withJson.map((name) => (name in properties ? name : name.replace(/ .*/, "")));
    expect([...new Set(published)].sort()).to.deep.equal(Object.keys(properties).sort());
    const others = (await commandsIn(COMMANDS)).filter(([, { show }]) => !show.json).map(([name]) => name);
    expect(others).to.deep.equal(["fleet program"]);
  });
});
