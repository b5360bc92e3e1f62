import { expect } from "chai";
import fc from "fast-check";
import { sizeOf, wavesOf } from "../../../cli/fleet/waves";
import { planOf } from "../../../cli/stacks/plan";
import type { Manifest } from "../../../provider/manifest/model";
import type { DeclaredWave } from "../../../provider/manifest/rollout";
import { fleetOf } from "./fleets";

const OPTIONS = { share: 0.1, maxFailures: 0.05 };

describe("cli fleet: the waves of a rollout", () => {
  const fleet = fleetOf(3, 40);
  const plan = planOf(fleet, []);
  const idsOf = (waves: ReturnType<typeof wavesOf>) =>
    waves.map(({ name, stacks }) => [name, stacks.flatMap(({ own }) => own.map(({ id }) => id)).sort()] as const);

  it("are one site, a share of the devices, and the rest", () => {
    const waves = wavesOf(plan, OPTIONS);
    expect(waves.map((wave) => [wave.name, sizeOf(wave), wave.failureLimit])).to.deep.equal([
      ["canary", 1, 0],
      ["share", 4, 0.05],
      ["rest", 35, 0.05],
    ]);
    expect(idsOf(waves)[0]).to.deep.equal(["canary", ["site-00"]]);
  });

  it("are one for a fleet with one site, also if a command decides between waves", () => {
    for (const hasGate of [false, true]) {
      const waves = wavesOf(planOf(fleetOf(1, 1), []), { ...OPTIONS, share: undefined, hasGate });
      expect(idsOf(waves)).to.deep.equal([["rest", ["site-00"]]]);
    }
  });

  it("have one site in the share, even if it is 0 %", () => {
    const waves = wavesOf(plan, { ...OPTIONS, share: 0 });
    expect(waves.map((wave) => [wave.name, sizeOf(wave)])).to.deep.equal([
      ["canary", 1],
      ["share", 1],
      ["rest", 38],
    ]);
  });

  it("have the same shares in a fleet with one stack, which most fleets are", () => {
    const sizesOf = (sites: number) =>
      wavesOf(planOf(fleetOf(1, sites), []), { maxFailures: 0 }).map((wave) => [wave.name, sizeOf(wave)]);
    expect(sizesOf(40)).to.deep.equal([
      ["canary", 1],
      ["share", 4],
      ["rest", 35],
    ]);
    expect(sizesOf(2)).to.deep.equal([
      ["canary", 1],
      ["share", 1],
    ]);
  });

  it("begin with the first site as people sort names, wherever it is in the manifest", () => {
    const [one] = fleet.sites;
    const canaryOf = (...ids: string[]) => {
      const named = { ...fleet, sites: ids.map((id) => ({ ...(one as (typeof fleet.sites)[number]), id })) };
      return idsOf(wavesOf(planOf(named, []), OPTIONS))[0]?.[1];
    };
    expect(canaryOf("Esslingen", "site-2", "bad-homburg")).to.deep.equal(["bad-homburg"]);
    expect(canaryOf("site-10", "site-2")).to.deep.equal(["site-2"]);
  });

  describe("if some sites are known to be applied", () => {
    const sites = plan.stacks.flatMap((stack) => stack.sites);
    const wavesWith = (...ids: string[]) =>
      idsOf(wavesOf(plan, { maxFailures: 0, changed: sites.filter(({ id }) => ids.includes(id)) }));

    it("are one for a single change, and for no change", () => {
      for (const ids of [["site-07"], []]) expect(wavesWith(...ids).map(([name]) => name)).to.deep.equal(["rest"]);
    });

    it("begin with the first change of several", () => {
      expect(wavesWith("site-09", "site-07")[0]).to.deep.equal(["canary", ["site-07"]]);
    });

    it("begin with a single change if a command decides between waves", () => {
      const changed = sites.filter(({ id }) => id === "site-07");
      const waves = wavesOf(plan, { maxFailures: 0, changed, hasGate: true });
      expect(idsOf(waves)[0]).to.deep.equal(["canary", ["site-07"]]);
    });

    it("begin with the canary of the command", () => {
      const waves = wavesOf(plan, { maxFailures: 0, changed: [], canary: "site-03" });
      expect(idsOf(waves)[0]).to.deep.equal(["canary", ["site-03"]]);
    });
  });

  it("take few stacks twice: a share has the rest of the canary's stack before it begins another one", () => {
    const [canary, share] = wavesOf(plan, { ...OPTIONS, share: 0.2 });
    expect(share?.stacks.map(({ name }) => name)).to.deep.equal(canary?.stacks.map(({ name }) => name));
  });

  it("are the manifest's, with the limits and times that it gives", () => {
    const labelled: Manifest = {
      ...fleet,
      sites: fleet.sites.map((site) => ({ ...site, labels: [site.id.slice(-1)] })),
    };
    const declared: DeclaredWave[] = [
      { sites: ["site-07"], soak: 60 },
      { labels: ["7", "9"], maxFailures: 0 },
      { share: 0.5 },
    ];
    const waves = wavesOf(planOf(labelled, []), { ...OPTIONS, declared });
    expect(waves.map((wave) => [wave.name, sizeOf(wave), wave.failureLimit, wave.soak])).to.deep.equal([
      ["1", 1, 0.05, 60],
      ["2", 7, 0, undefined],
      ["3", 20, 0.05, undefined],
      ["rest", 12, 0.05, undefined],
    ]);
    expect(idsOf(waves)[1]?.[1]).to.deep.equal(
      ["09", "17", "19", "27", "29", "37", "39"].map((number) => `site-${number}`),
    );
  });

  it("refuse a canary that this run does not have", () => {
    expect(() => wavesOf(plan, { ...OPTIONS, canary: "rome" })).to.throw("--canary rome");
  });

  it("have each site once, and each stack as a whole in its last wave alone", () => {
    const id = fc.constantFrom(...fleet.sites.map((site) => site.id));
    const wave: fc.Arbitrary<DeclaredWave> = fc.oneof(
      fc.record({ sites: fc.uniqueArray(id, { minLength: 1 }) }),
      fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    );
    fc.assert(
      fc.property(
        fc.option(fc.array(wave), { nil: undefined }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (declared, share) => {
          const waves = wavesOf(plan, { share, maxFailures: 0, declared });
          const ids = idsOf(waves).flatMap(([, some]) => some);
          expect([...ids].sort()).to.deep.equal(fleet.sites.map((site) => site.id).sort());
          for (const { name } of plan.stacks) {
            const parts = waves.flatMap(({ stacks }) => stacks.filter((stack) => stack.name === name));
            expect(parts.map(({ isPart }) => isPart)).to.deep.equal(parts.map((_, index) => index < parts.length - 1));
          }
        },
      ),
    );
  });
});
