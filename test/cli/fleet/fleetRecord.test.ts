import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import {
  FleetRecord,
  lastRolloutIn,
  type Rollout,
  type RolloutProgress,
  type WaveCounts,
} from "../../../cli/stacks/fleetRecord";
import { type ExistingStack, type Plan, planOf } from "../../../cli/stacks/plan";
import { temporaryFolder } from "../../support/folder";
import { fleetOf } from "./fleets";

const countsOf = (wave: string, failed = 0): WaveCounts => ({ wave, stacks: 1, ok: 5, failed, notDone: 0 });

describe("cli fleet: the record of a rollout", () => {
  const path = temporaryFolder();
  const progress: RolloutProgress = {
    done: { canary: ["shard-1-of-2 oslo"], share: ["shard-2-of-2"] },
    soaked: ["canary"],
    released: ["canary"],
    revisions: { "shard-1-of-2": "noon", "shard-2-of-2": "one" },
    watch: { wave: "share", until: "2026-11-22T17:00:00.000Z" },
  };
  const stack = (name: string, revision?: string): ExistingStack => ({
    name,
    isEmpty: false,
    ...(revision !== undefined && { revision }),
  });
  const existing = [stack("shard-1-of-2", "noon"), stack("shard-2-of-2", "one"), stack("shard-3-of-3", "two")];
  const record = (...what: unknown[]) => new FleetRecord(path(""), undefined, [], what);

  it("is continued by a run of the same rollout only, until a refresh or a destroy", async () => {
    const first = record("fleet: a", "https://one");
    expect(first.resume(existing)).to.equal(undefined);
    first.write(progress);
    expect(record("fleet: a", "https://one").resume(existing)).to.deep.equal(progress);
    expect(record("fleet: b", "https://one").resume(existing)).to.equal(undefined);
    expect(record("fleet: a", "https://other").resume(existing)).to.equal(undefined);
    await first.renew([], existing, async () => existing);
    expect(record("fleet: a", "https://one").resume(existing)).to.equal(undefined);
  });

  for (const [what, code] of [
    ["stays, and no site counts as applied, if something failed", 1],
    ["is over if nothing failed: the next run begins from the start", 0],
  ] as const) {
    it(what, () => {
      const plan = planOf(fleetOf(3, 3), []);
      const first = record();
      first.write(progress);
      first.end(plan, progress.revisions, {}, code);
      expect(record().resume(existing)).to.deep.equal(code === 0 ? undefined : progress);
      const stacks = plan.stacks.map(({ name }) => stack(name, progress.revisions[name]));
      if (code !== 0) expect(record().changed(plan, stacks)).to.have.length(3);
    });
  }

  it("does not count for a state without the stacks that it names", () => {
    record().write(progress);
    expect(record().resume(existing.slice(0, 1))).to.equal(undefined);
  });

  it("does not count if it names no revision, because the backend cannot confirm it", () => {
    record().write({ ...progress, revisions: {} });
    expect(record().resume(existing)).to.equal(undefined);
  });

  it("counts a stack as done, and its wave as watched and released, only by a revision that the backend confirms", () => {
    record().write({ ...progress, revisions: { "shard-2-of-2": "one" } });
    expect(record().resume(existing)).to.deep.equal({
      ...{ done: { share: ["shard-2-of-2"] }, soaked: [], released: [], revisions: { "shard-2-of-2": "one" } },
      watch: progress.watch,
    });
  });

  for (const [words, revision] of [
    ["was updated since", "two"],
    ["the backend knows no update of", undefined],
  ] as const) {
    for (const index of [0, 1]) {
      it(`does not count if the backend reports that a stack ${words}: ${index}`, () => {
        record().write(progress);
        const changed = existing.map((one, at) => (at === index ? stack(one.name, revision) : one));
        expect(record().resume(changed)).to.equal(undefined);
      });
    }
  }

  it("outlives the update of a stack that it does not name", () => {
    record().write(progress);
    expect(record().resume([...existing.slice(0, 2), stack("shard-3-of-3", "three")])).to.deep.equal(progress);
  });

  it("is one for each part of the fleet", () => {
    const part = (index: number) => new FleetRecord(path(""), { index, count: 2 }, [], []);
    part(1).write(progress);
    expect(part(1).resume(existing)).to.deep.equal(progress);
    expect([part(2), record()].map((other) => other.resume(existing))).to.deep.equal([undefined, undefined]);
  });

  it("does not count if it is broken", () => {
    writeFileSync(path("record.json"), '{"rollout":');
    expect(record().resume(existing)).to.equal(undefined);
  });

  it("names the next step if it cannot be written", () => {
    mkdirSync(path("record.json"));
    expect(() => record().write(progress)).to.throw(/^[^:]*rollout[^:]*: EISDIR.*permissions.*folder/);
  });
});

describe("cli fleet: the sites that were applied", () => {
  const path = temporaryFolder();
  const fleet = fleetOf(2, 6);
  const plan = planOf(fleet, []);
  const REVISIONS = Object.fromEntries(plan.stacks.map(({ name }) => [name, `update of ${name}`]));
  const existing = (): ExistingStack[] =>
    plan.stacks.map(({ name }) => ({ name, isEmpty: false, revision: `update of ${name}` }));
  const applied = (...where: string[]) => new FleetRecord(path(""), undefined, where, []);
  const ended = (...where: string[]) => ({
    keep: (one: Plan, revisions = REVISIONS) => applied(...where).end(one, revisions, { interrupted: false }, 0),
  });
  const idsOf = (sites: readonly { id: string }[]) => sites.map(({ id }) => id).sort();
  const all = idsOf(fleet.sites);

  it("do not count without a record", () => {
    expect(idsOf(applied().changed(plan, existing()))).to.deep.equal(all);
  });

  it("are those that the manifest still declares in the same way", () => {
    ended().keep(plan, REVISIONS);
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
    ended().keep(plan, REVISIONS);
    await applied().renew([one.name], existing(), async () => now);
    expect(idsOf(applied().changed(plan, now))).to.deep.equal(other.ids);

    ended().keep(plan, REVISIONS);
    const before = existing().map((stack) => (stack.name === one.name ? { ...stack, revision: "later" } : stack));
    await applied().renew([one.name, other.name], before, async () => now);
    expect(idsOf(applied().changed(plan, now))).to.deep.equal(one.ids);
  });

  it("stay if a refresh that began before a rollout ends after it", async () => {
    const refresh = applied();
    ended().keep(plan, REVISIONS);
    await refresh.renew([], existing(), async () => existing());
    expect(lastRolloutIn(path("."))?.outcome).to.equal("done");
    expect(applied().changed(plan, existing())).to.deep.equal([]);
  });

  it("are not looked for again after a refresh if there is no record", async () => {
    writeFileSync(path("record.json"), "{");
    await applied().renew(["shard-1-of-2"], existing(), () => expect.fail("the backend is asked"));
  });

  it("do not count at another service", () => {
    ended("https://one").keep(plan, REVISIONS);

    expect(idsOf(applied("https://other").changed(plan, existing()))).to.deep.equal(all);
  });

  for (const [what, revision] of [
    ["was updated since", { revision: "a later update" }],
    ["was never updated", {}],
  ] as const) {
    it(`do not count in a stack that ${what}`, () => {
      ended().keep(plan, REVISIONS);
      const { revision: _, ...first } = existing()[0] as ExistingStack;
      const stacks = [{ ...first, ...revision }, ...existing().slice(1)];

      expect(idsOf(applied().changed(plan, stacks))).to.deep.equal(idsOf(plan.stacks[0]?.sites ?? []));
    });
  }

  it("do not count if the record names no revision, however late its time", () => {
    ended().keep(plan, {});

    expect(idsOf(applied().changed(plan, existing()))).to.deep.equal(all);
  });

  it("do not count in a stack that is gone", () => {
    ended().keep(plan, REVISIONS);

    expect(idsOf(applied().changed(plan, []))).to.deep.equal(all);
  });

  it("do not count if the record cannot be read or written", () => {
    writeFileSync(path("record.json"), "{");
    expect(idsOf(applied().changed(plan, existing()))).to.deep.equal(all);
    new FleetRecord(path("missing/folder"), undefined, [], []).end(plan, REVISIONS, { interrupted: false }, 0);
  });
});

describe("cli fleet: the last rollout", () => {
  const path = temporaryFolder();
  const progress: RolloutProgress = { done: { canary: ["one"] }, soaked: [], released: [], revisions: { one: "noon" } };
  const existing: ExistingStack[] = [{ name: "one", isEmpty: false, revision: "noon" }];
  const plan = planOf(fleetOf(1, 1), []);
  const record = () => new FleetRecord(path(""), undefined, [], []);
  const end = (one: FleetRecord, code: number, ended: object = {}) =>
    one.end(plan, {}, { interrupted: false, ...ended }, code);

  it("is kept wave by wave, and how it ended", () => {
    const one = record();
    one.add(countsOf("canary"));
    expect(lastRolloutIn(path(""))).to.deep.include({ outcome: "interrupted" });
    one.add(countsOf("rest", 2));
    const before = new Date().toISOString();
    end(one, 3, { stopped: "wave rest: 2 of 7 devices failed" });
    const { time, ...last } = lastRolloutIn(path("")) as Rollout;
    expect(time >= before && time <= new Date().toISOString(), time).to.equal(true);
    expect(last).to.deep.equal({
      ...{ outcome: "stopped", reason: "wave rest: 2 of 7 devices failed" },
      waves: [
        { wave: "canary", stacks: 1, ok: 5, failed: 0, notDone: 0 },
        { wave: "rest", stacks: 1, ok: 5, failed: 2, notDone: 0 },
      ],
    });
  });

  it("has the waves of an earlier run only if it continues it", () => {
    const one = record();
    one.write(progress);
    one.add(countsOf("canary"));
    const on = record();
    expect(on.resume(existing)).to.deep.equal(progress);
    on.add(countsOf("rest"));
    end(on, 0);
    expect(lastRolloutIn(path(""))).to.include({ outcome: "done" });
    expect(lastRolloutIn(path(""))?.waves.map(({ wave }) => wave)).to.deep.equal(["canary", "rest"]);
    end(record(), 1);
    expect(lastRolloutIn(path(""))).to.deep.include({ outcome: "failed", waves: [] });
  });

  const ofPart = (time: string) => JSON.stringify({ last: { time, outcome: "failed", waves: [] } });

  it("is the newest of several parts; a part that is not understood does not count", () => {
    writeFileSync(path("record-2-of-4.json"), ofPart("2026-01-01T00:00:00.000Z"));
    expect(lastRolloutIn(path(""))?.outcome).to.equal("failed");
    end(record(), 0);
    expect(lastRolloutIn(path(""))?.outcome).to.equal("done");
    writeFileSync(path("record.json"), "{");
    expect(lastRolloutIn(path(""))?.outcome).to.equal("failed");
  });

  it("counts if another part of its record is not understood", () => {
    end(record(), 0);
    const content = JSON.parse(readFileSync(path("record.json"), "utf8"));
    writeFileSync(path("record.json"), JSON.stringify({ ...content, applied: "?", rollout: [] }));
    expect(lastRolloutIn(path(""))?.outcome).to.equal("done");
  });

  it("ignores a time in the future, which would hide every later rollout", () => {
    end(record(), 0);
    writeFileSync(path("record-2-of-4.json"), ofPart("2099-01-01T00:00:00.000Z"));
    expect(lastRolloutIn(path(""))?.outcome).to.equal("done");
  });

  it("fails nothing if it cannot be written", () => {
    const one = record();
    one.write(progress);
    rmSync(path(""), { recursive: true });
    expect(() => end(one, 0)).to.not.throw();
  });
});
