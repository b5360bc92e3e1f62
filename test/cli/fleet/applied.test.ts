import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { AppliedSites } from "../../../cli/fleet/applied";
import { type ExistingStack, planOf } from "../../../cli/stacks/plan";
import { temporaryFolder } from "../../support/folder";
import { fleetOf } from "./fleets";

describe("cli fleet: the sites that were applied", () => {
  const path = temporaryFolder();
  const fleet = fleetOf(2, 6);
  const plan = planOf(fleet, []);
  const NOON = "2026-11-23T12:00:00.000Z";
  const existing = (updated = "2026-11-23T11:59:59.000Z"): ExistingStack[] =>
    plan.stacks.map(({ name }) => ({ name, isEmpty: false, updated }));
  const applied = (...where: string[]) => new AppliedSites(path(""), undefined, where, () => new Date(NOON));
  const idsOf = (sites: readonly { id: string }[]) => sites.map(({ id }) => id).sort();
  const all = idsOf(fleet.sites);

  it("are none without a record", () => {
    expect(idsOf(applied().changed(plan, existing()))).to.deep.equal(all);
  });

  it("are those that the manifest still declares in the same way", () => {
    applied().keep(plan);
    const [one, ...others] = fleet.sites;
    const changed = planOf({ ...fleet, sites: [{ ...one, latitude: 1 } as typeof one & object, ...others] }, []);

    expect(applied().changed(plan, existing())).to.deep.equal([]);
    expect(idsOf(applied().changed(changed, existing()))).to.deep.equal([one?.id]);
  });

  it("are none at another service", () => {
    applied("https://one").keep(plan);

    expect(idsOf(applied("https://other").changed(plan, existing()))).to.deep.equal(all);
  });

  for (const [what, updated] of [
    ["was updated later", "2026-11-23T12:00:01.000Z"],
    ["has an unknown update", "update 7"],
  ] as const) {
    it(`are none in a stack that ${what}`, () => {
      applied().keep(plan);
      const [first, ...others] = existing();
      const stacks = [{ ...first, updated } as ExistingStack, ...others];

      expect(idsOf(applied().changed(plan, stacks))).to.deep.equal(idsOf(plan.stacks[0]?.sites ?? []));
    });
  }

  it("are none in a stack that is gone", () => {
    applied().keep(plan);

    expect(idsOf(applied().changed(plan, []))).to.deep.equal(all);
  });

  it("are none if the record cannot be read or written", () => {
    writeFileSync(path("applied.json"), "{");
    expect(idsOf(applied().changed(plan, existing()))).to.deep.equal(all);
    new AppliedSites(path("missing/folder"), undefined, []).keep(plan);
  });
});
