import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parseManifest } from "../../../provider/manifest/manifest";
import { blocksOf } from "../../support/markdown";
import { ROOT } from "../../support/project";

describe("docs/fleets.md", () => {
  const blocks = blocksOf("docs/fleets.md").filter(({ section }) => section === "The manifest");

  it("shows a manifest in YAML", () => {
    expect(blocks.map(({ language }) => language)).to.deep.equal(["yaml"]);
  });

  for (const { language, text } of blocks) {
    it(`shows one in ${language} that is right`, () => {
      expect(parseManifest(text, `fleet.${language}`).sites).to.not.deep.equal([]);
    });
  }

  it("shows the program of the example fleet, which is run by a test of the examples", () => {
    const programs = blocksOf("docs/fleets.md").filter(({ section }) => section === "FleetSettings");
    expect(programs).to.deep.equal([
      { section: "FleetSettings", language: "ts", text: readFileSync(join(ROOT, "examples/fleet/index.ts"), "utf8") },
    ]);
  });
});
