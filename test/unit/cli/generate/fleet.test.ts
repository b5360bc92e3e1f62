import { expect } from "chai";
import fc from "fast-check";
import { portable, stacksOf, wavesOf } from "../../../../cli/fleet/pipelines";
import { shardName, shardOf } from "../../../../provider/manifest/shards";
import { like } from "../../../support/facts";
import { fleetOf } from "./fleets";

describe("generate: waves", () => {
  it("hold every part once, in its order, and none is empty", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
        const waves = wavesOf(count);
        expect(waves.flatMap(({ parts }) => parts)).to.deep.equal(
          Array.from({ length: count }, (_, index) => index + 1),
        );
        for (const { parts } of waves) expect(parts).not.to.be.empty;
      }),
    );
  });

  it("begin with one part, and a tenth of the others", () => {
    expect(wavesOf(21).map(({ name, parts }) => [name, parts.length])).to.deep.equal([
      ["canary", 1],
      ["share", 2],
      ["rest", 18],
    ]);
  });
});

describe("generate: the stacks of a fleet", () => {
  it("are the shards that have sites, each once", () => {
    const fleet = fleetOf(3, 16);
    expect(stacksOf(fleet)).to.have.members([...new Set(fleet.sites.map(({ id }) => shardName(shardOf(id, 16), 16)))]);
  });

  it("stand in the order of the shards", () => {
    expect(stacksOf(fleetOf(200, 16))).to.deep.equal(
      Array.from({ length: 16 }, (_, index) => shardName(index + 1, 16)),
    );
  });
});

describe("generate: the manifest's path", () => {
  it("is named from the root of the repository", () =>
    expect(portable("./fleets/acme.yaml")).to.equal("fleets/acme.yaml"));

  for (const path of ["/home/me/fleet.yaml", "../fleet.yaml", "fleets/../../fleet.yaml"]) {
    it(`${path} is refused, because a clone does not have it`, () => {
      expect(() => portable(path)).to.throw(like("…fleet.yaml …repository…"));
    });
  }

  for (const path of ["a fleet.yaml", "$X", "a\nb.yaml", "-x.yaml", "$(id).yaml"]) {
    it(`${JSON.stringify(path)} is refused, because a pipeline could read it as something else`, () => {
      expect(() => portable(path)).to.throw(like(`${path} … _ . / -`));
    });
  }
});
