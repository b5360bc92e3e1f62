import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { givenProject, ROOT } from "./project";

const TOKEN = "canary-91c2a6e3-token";

/** Describes the stack of an example with this many sites, from its first preview to its destroy. */
export function describeExample(name: string, sites: number): void {
  const folder = join(ROOT, "examples", name);
  const fleet = JSON.parse(readFileSync(join(folder, "simulator.json"), "utf8"));

  describe(`engine: the example ${name}`, () => {
    const given = givenProject({ ...fleet, token: TOKEN }, "for all");
    before(async () => {
      cpSync(folder, given.project.folder, { recursive: true });
      await given.project.succeeds("stack", "init", "dev"); // The example's Pulumi.yaml names another project.
    });

    // One test, because each step needs the one before.
    it("previews its sites, ready, is applied, is stable, and is given back, with the token in no file", async () => {
      const { project, simulator } = given;
      const before = simulator.device("acme", "van-1");
      const preview = await project.succeeds("preview");
      expect(preview.match(/SiteSettings \S+ create/g)).to.have.length(sites);
      expect(preview).to.match(/ready\s*: true/);
      expect(simulator.requests, "the preview").to.deep.equal([]);

      await project.up();
      const outputs = JSON.parse(await project.succeeds("stack", "output", "--json"));
      expect(outputs).to.deep.include({ ready: true, missing: [], unverified: [] });
      expect(simulator.device("acme", "van-1")).to.not.deep.equal(before);
      await project.succeeds("preview", "--refresh", "--expect-no-changes");
      expect(project.files().filter((file) => readFileSync(file, "utf8").includes(TOKEN))).to.deep.equal([]);

      await project.destroy();
      expect(simulator.device("acme", "van-1")).to.deep.equal(before);
      expect(simulator.latestReads).to.equal(0);
    });
  });
}
