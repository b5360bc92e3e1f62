import { expect } from "chai";
import { InvalidArgumentError } from "commander";
import fc from "fast-check";
import { parse } from "yaml";
import type { CommandOption } from "../../../../cli/command/record";
import { layoutOf, programFor, stacks } from "../../../../cli/fleet/stacks";
import { planOf } from "../../../../cli/stacks/plan";
import type { Manifest } from "../../../../provider/manifest/model";
import { shardName, shardOf } from "../../../../provider/manifest/model";
import { like } from "../../../support/facts";

/** A fleet with this many sites of one vehicle each. */
function fleetOf(sites: number, shards?: number): Manifest {
  const site = (index: number) => ({
    id: `site-${index}`,
    vehicles: { [`car-${index}`]: { deviceId: `car-${index}` } },
  });
  return { fleet: "acme", ...(shards && { shards }), sites: Array.from({ length: sites }, (_, index) => site(index)) };
}

describe("fleet stacks", () => {
  it("names the stacks that have sites, in the order of their numbers, with all sites and devices", () => {
    const { stacks } = layoutOf(fleetOf(200, 16), 4);
    expect(stacks.map(({ name }) => name)).to.deep.equal(
      Array.from({ length: 16 }, (_, index) => shardName(index + 1, 16)),
    );
    expect(stacks.reduce((sum, { sites }) => sum + sites, 0)).to.equal(200);
    expect(stacks.reduce((sum, { devices }) => sum + devices, 0)).to.equal(200);
  });

  it("leaves out shards without sites", () => {
    expect(layoutOf(fleetOf(1, 16), 4).stacks).to.deep.equal([
      { name: shardName(shardOf("site-0", 16), 16), sites: 1, devices: 1 },
    ]);
  });

  it("divides all stacks into parts, each stack once, also those without sites any more", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(40),
        (sites, shards, jobs) => {
          const manifest = fleetOf(sites, shards);
          const { parts, stacks } = layoutOf(manifest, jobs + 1);
          const existing = Array.from({ length: shards }, (_, index) => ({
            name: shardName(index + 1, shards),
            isEmpty: false,
          }));
          const run = parts.flatMap((part) => {
            const [index, count] = part.split("/").map(Number) as [number, number];
            const plan = planOf(manifest, existing, { index, count });
            return [...plan.stacks.map(({ name }) => name), ...plan.emptied];
          });
          expect(run.sort()).to.deep.equal(existing.map(({ name }) => name));
          expect(parts.length).to.equal(Math.min(jobs + 1, stacks.length));
        },
      ),
    );
  });

  it("puts each part into one wave, the first one alone, and leaves only the waves at the end empty", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 256 }), (sites, jobs) => {
        const { parts, waves } = layoutOf(fleetOf(sites, 300), jobs);
        expect([...waves.canary, ...waves.share, ...waves.rest]).to.deep.equal(parts);
        expect(waves.canary).to.have.length(1);
        // A pipeline skips the last wave if it skips the second.
        expect(waves.rest.length > 0 && waves.share.length === 0).to.equal(false);
      }),
    );
  });

  it("puts a tenth of the other parts into the second wave", () => {
    const { waves } = layoutOf(fleetOf(400, 21), 21);
    expect([waves.canary.length, waves.share.length, waves.rest.length]).to.deep.equal([1, 2, 18]);
  });

  it("takes as many jobs as a matrix of GitHub can have", () => {
    const read = (text: string) => (stacks.options.jobs as CommandOption<number>).parse?.(text);
    expect(["1", "256"].map(read)).to.deep.equal([1, 256]);
    for (const text of ["0", "257", "10000", "1.5", "1e2", ""])
      expect(() => read(text), text).to.throw(InvalidArgumentError, like("… 1 … 256…"));
  });

  it("refuses a fleet without devices", () => {
    expect(() => layoutOf(fleetOf(0, 2), 4)).to.throw(like("…manifest …acme …devices…"));
  });
});

describe("fleet program", () => {
  const sitesIn = (text: string) => Object.keys(parse(text).resources);

  it("declares each site of the fleet in one of its stacks", () => {
    const manifest = fleetOf(50, 4);
    const all = [1, 2, 3, 4].map((shard) => sitesIn(programFor(manifest, shardName(shard, 4))));
    expect(all.flat()).to.have.members(manifest.sites.map(({ id }) => id));
    for (const [index, sites] of all.entries()) {
      for (const site of sites) expect(shardOf(site, 4)).to.equal(index + 1);
    }
  });

  it("takes the number of stacks from the name of the stack if the manifest gives none", () => {
    expect(sitesIn(programFor(fleetOf(3), "shard-1-of-1"))).to.have.length(3);
  });

  it("is empty for a stack without sites, so that its last sites are removed", () => {
    const occupied = shardOf("site-0", 16);
    expect(sitesIn(programFor(fleetOf(1, 16), shardName((occupied % 16) + 1, 16)))).to.deep.equal([]);
  });

  for (const stack of [undefined, ""]) {
    it(`without a stack (${JSON.stringify(stack)}) declares nothing, and needs configuration that is never set`, () => {
      const program = parse(programFor(fleetOf(3), stack));
      expect(program.resources).to.deep.equal({});
      expect(Object.values(program.config)).to.deep.equal([{ type: "string" }]);
    });
  }

  it("refuses a stack that the fleet cannot have", () => {
    expect(() => programFor(fleetOf(3, 4), "production")).to.throw(like("…production…shard-1-of-4"));
    expect(() => programFor(fleetOf(3, 4), "shard-1-of-8")).to.throw(like("shard-1-of-8 …8 …acme …shards: 4"));
    expect(() => programFor(fleetOf(0, 4), "shard-1-of-4")).to.throw(like("…acme …devices…"));
  });
});
