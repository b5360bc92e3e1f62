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
  const REVISIONS = Object.fromEntries(plan.stacks.map(({ name }) => [name, `update of ${name}`]));
  const existing = (): ExistingStack[] =>
    plan.stacks.map(({ name }) => ({ name, isEmpty: false, revision: `update of ${name}` }));
  const applied = (...where: string[]) => new AppliedSites(path(""), undefined, where);
  const idsOf = (sites: readonly { id: string }[]) => sites.map(({ id }) => id).sort();
  const all = idsOf(fleet.sites);

  it("do not count without a record", () => {
    expect(idsOf(applied().changed(plan, existing()))).to.deep.equal(all);
  });

  it("are those that the manifest still declares in the same way", () => {
    applied().keep(plan, REVISIONS);
    const [one, ...others] = fleet.sites;
    const changed = planOf({ ...fleet, sites: [{ ...one, latitude: 1 } as typeof one & object, ...others] }, []);

    expect(applied().changed(plan, existing())).to.deep.equal([]);
    expect(idsOf(applied().changed(changed, existing()))).to.deep.equal([one?.id]);
  });

  it("are kept for the stacks that a refresh found unchanged, and whose record was right before it", async () => {
    const now = existing().map((stack) => ({ ...stack, revision: `refresh of ${stack.name}` }));
    const [one, other] = plan.stacks.map(({ name, sites }) => ({ name, ids: idsOf(sites) })) as [
      { name: string; ids: string[] },
      { name: string; ids: string[] },
    ];
    applied().keep(plan, REVISIONS);
    await applied().renew([one.name], existing(), async () => now);
    expect(idsOf(applied().changed(plan, now))).to.deep.equal(other.ids);

    applied().keep(plan, REVISIONS);
    const before = existing().map((stack) => (stack.name === one.name ? { ...stack, revision: "later" } : stack));
    await applied().renew([one.name, other.name], before, async () => now);
    expect(idsOf(applied().changed(plan, now))).to.deep.equal(one.ids);
  });

  it("are not looked for again after a refresh if there is no record", async () => {
    writeFileSync(path("applied.json"), "{");
    await applied().renew(["shard-1-of-2"], existing(), () => expect.fail("the backend is asked"));
  });

  it("do not count at another service", () => {
    applied("https://one").keep(plan, REVISIONS);

    expect(idsOf(applied("https://other").changed(plan, existing()))).to.deep.equal(all);
  });

  for (const [what, revision] of [
    ["was updated since", { revision: "a later update" }],
    ["was never updated", {}],
  ] as const) {
    it(`do not count in a stack that ${what}`, () => {
      applied().keep(plan, REVISIONS);
      const { revision: _, ...first } = existing()[0] as ExistingStack;
      const stacks = [{ ...first, ...revision }, ...existing().slice(1)];

      expect(idsOf(applied().changed(plan, stacks))).to.deep.equal(idsOf(plan.stacks[0]?.sites ?? []));
    });
  }

  it("do not count if the record names no revision, however late its time", () => {
    applied().keep(plan, {});

    expect(idsOf(applied().changed(plan, existing()))).to.deep.equal(all);
  });

  it("do not count in a stack that is gone", () => {
    applied().keep(plan, REVISIONS);

    expect(idsOf(applied().changed(plan, []))).to.deep.equal(all);
  });

  it("do not count if the record cannot be read or written", () => {
    writeFileSync(path("applied.json"), "{");
    expect(idsOf(applied().changed(plan, existing()))).to.deep.equal(all);
    new AppliedSites(path("missing/folder"), undefined, []).keep(plan, REVISIONS);
  });
});
