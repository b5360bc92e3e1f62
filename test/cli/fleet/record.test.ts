import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { RolloutRecord } from "../../../cli/fleet/record";
import { temporaryFolder } from "../../support/folder";

describe("cli fleet: the record of a rollout", () => {
  const path = temporaryFolder();
  const progress = { canaryDone: true, stacks: ["shard-1-of-2"] };

  it("is read by a run of the same manifest only, until it is removed", () => {
    const record = new RolloutRecord(path(""), "fleet: a");
    expect(record.read()).to.equal(undefined);
    record.write(progress);
    expect(new RolloutRecord(path(""), "fleet: a").read()).to.deep.equal(progress);
    expect(new RolloutRecord(path(""), "fleet: b").read()).to.equal(undefined);
    record.remove();
    expect(record.read()).to.equal(undefined);
  });

  it("that is broken is none", () => {
    writeFileSync(path("rollout.json"), '{"manifest":');
    expect(new RolloutRecord(path(""), "fleet: a").read()).to.equal(undefined);
  });

  it("that cannot be written tells what to do", () => {
    mkdirSync(path("rollout.json"));
    const record = new RolloutRecord(path(""), "fleet: a");
    expect(() => record.write(progress)).to.throw(
      /^the rollout cannot be recorded: EISDIR.*Make room, then run this again$/,
    );
  });
});
