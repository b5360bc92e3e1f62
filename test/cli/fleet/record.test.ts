import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { type Progress, RolloutRecord } from "../../../cli/fleet/record";
import { temporaryFolder } from "../../support/folder";

describe("cli fleet: the record of a rollout", () => {
  const path = temporaryFolder();
  const progress: Progress = { canaryDone: true, released: ["canary"], stacks: ["shard-1-of-2"] };
  const record = (...what: unknown[]) => new RolloutRecord(path(""), undefined, what);

  it("is read by a run of the same rollout only, until it is removed", () => {
    const first = record("fleet: a", "https://one");
    expect(first.read(progress.stacks)).to.equal(undefined);
    first.write(progress);
    expect(record("fleet: a", "https://one").read(progress.stacks)).to.deep.equal(progress);
    expect(record("fleet: b", "https://one").read(progress.stacks)).to.equal(undefined);
    expect(record("fleet: a", "https://other").read(progress.stacks)).to.equal(undefined);
    first.remove();
    expect(first.read(progress.stacks)).to.equal(undefined);
  });

  it("is none of a state that has not the stacks that it says are done", () => {
    record().write(progress);
    expect(record().read(["shard-2-of-2"])).to.equal(undefined);
    record().write({ ...progress, stacks: [] });
    expect(record().read([])).to.equal(undefined);
    expect(record().read(["shard-2-of-2"])).not.to.equal(undefined);
  });

  it("is one for each part of the fleet", () => {
    const part = (index: number) => new RolloutRecord(path(""), { index, count: 2 }, []);
    part(1).write(progress);
    expect(part(1).read(progress.stacks)).to.deep.equal(progress);
    expect([part(2), record()].map((other) => other.read(progress.stacks))).to.deep.equal([undefined, undefined]);
  });

  it("that is broken is none", () => {
    writeFileSync(path("rollout.json"), '{"rollout":');
    expect(record().read([])).to.equal(undefined);
  });

  it("that cannot be written tells what to do", () => {
    mkdirSync(path("rollout.json"));
    expect(() => record().write(progress)).to.throw(
      /^the rollout cannot be recorded: EISDIR.*Look at the folder and who may write there, then run this again$/,
    );
  });
});
