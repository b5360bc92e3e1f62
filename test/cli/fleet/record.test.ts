import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { type RolloutProgress, RolloutRecord } from "../../../cli/fleet/record";
import type { ExistingStack } from "../../../cli/stacks/plan";
import { temporaryFolder } from "../../support/folder";

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
  const record = (...what: unknown[]) => new RolloutRecord(path(""), undefined, what);

  it("is read by a run of the same rollout only, until it is removed", () => {
    const first = record("fleet: a", "https://one");
    expect(first.read(existing)).to.equal(undefined);
    first.write(progress);
    expect(record("fleet: a", "https://one").read(existing)).to.deep.equal(progress);
    expect(record("fleet: b", "https://one").read(existing)).to.equal(undefined);
    expect(record("fleet: a", "https://other").read(existing)).to.equal(undefined);
    first.remove();
    expect(first.read(existing)).to.equal(undefined);
  });

  it("does not count for a state without the stacks that it names", () => {
    record().write(progress);
    expect(record().read(existing.slice(0, 1))).to.equal(undefined);
  });

  it("does not count if it names no revision, because the backend cannot confirm it", () => {
    record().write({ ...progress, revisions: {} });
    expect(record().read(existing)).to.equal(undefined);
  });

  it("counts a stack as done, and its wave as watched and released, only by a revision that the backend confirms", () => {
    record().write({ ...progress, revisions: { "shard-2-of-2": "one" } });
    expect(record().read(existing)).to.deep.equal({
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
        expect(record().read(changed)).to.equal(undefined);
      });
    }
  }

  it("outlives the update of a stack that it does not name", () => {
    record().write(progress);
    expect(record().read([...existing.slice(0, 2), stack("shard-3-of-3", "three")])).to.deep.equal(progress);
  });

  it("is one for each part of the fleet", () => {
    const part = (index: number) => new RolloutRecord(path(""), { index, count: 2 }, []);
    part(1).write(progress);
    expect(part(1).read(existing)).to.deep.equal(progress);
    expect([part(2), record()].map((other) => other.read(existing))).to.deep.equal([undefined, undefined]);
  });

  it("does not count if it is broken", () => {
    writeFileSync(path("rollout.json"), '{"rollout":');
    expect(record().read(existing)).to.equal(undefined);
  });

  it("names the next step if it cannot be written", () => {
    mkdirSync(path("rollout.json"));
    expect(() => record().write(progress)).to.throw(/^[^:]*rollout[^:]*: EISDIR.*permissions.*folder/);
  });
});
