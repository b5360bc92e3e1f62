import { expect } from "chai";
import { shardName, shardOf } from "../../provider/manifest/model";
import { givenProject } from "../support/project";

describe("engine: FleetSettings in a program of one's own", () => {
  const given = givenProject({ businesses: {} }, "for each");

  it("declares in each of two stacks the sites of that stack alone, warns once of a misspelled setting, and refuses no sites", async () => {
    const sites = ["oslo", "paris", "rome", "vienna"];
    given.project.program(`
      const { getStack } = require("@pulumi/pulumi");
      new FleetSettings("fleet", { manifest: "fleet.yaml", shard: getStack() });`);
    const lines = sites.map((id) => `  ${id}: { vehicles: { car: { deviceId: car-${id}, maxCapacity: 77 kWh } } }`);
    given.project.write("fleet.yaml", ["fleet: acme", "shards: 2", "sites:", ...lines].join("\n"));

    for (const shard of [1, 2]) {
      await given.project.succeeds("stack", "init", shardName(shard, 2));
      given.project.env.PULUMI_STACK = shardName(shard, 2);
      await given.project.succeeds("config", "set", "solar-charging:maxConcurency", "4");
      const preview = await given.project.succeeds("preview");
      const [, diagnostics = ""] = preview.split("Diagnostics:");
      expect(diagnostics.match(/solar-charging:maxConcurency .*solar-charging:maxConcurrency\?/g)).to.have.length(1);
      const declared = [...preview.matchAll(/SiteSettings (\S+) create/g)].map(([, name]) => name);
      const here = sites.filter((id) => shardOf(id, 2) === shard);
      expect(here).to.have.length(2);
      expect(new Set(declared)).to.deep.equal(new Set(here));
    }

    given.project.write("fleet.yaml", "fleet: acme\nshards: 2\nsites: {}");
    const refusal = await given.project.fails("up", "--yes", "--skip-preview");
    expect(refusal)
      .to.match(/manifest .*acme .*sites/)
      .and.not.to.match(/^ +at /m);
  });
});
