import { rmSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { LastRollout, lastRolloutIn, type WaveCounts } from "../../../cli/stacks/lastRollout";
import { temporaryFolder } from "../../support/folder";

const countsOf = (wave: string, failed = 0): WaveCounts => ({ wave, stacks: 1, ok: 5, failed, notDone: 0 });
const ENDED = { interrupted: false };

describe("fleet: the last rollout", () => {
  const path = temporaryFolder();
  const rollout = (goesOn = false, day = 1) =>
    new LastRollout(path(""), undefined, { goesOn, now: () => new Date(Date.UTC(2026, 0, day)) });

  it("is kept wave by wave, and how it ended", () => {
    const last = rollout();
    last.add(countsOf("canary"));
    expect(lastRolloutIn(path(""))).to.deep.include({ outcome: "interrupted" });
    last.add(countsOf("rest", 2));
    last.end({ ...ENDED, stopped: "wave rest: 2 of 7 devices failed" }, 3);
    expect(lastRolloutIn(path(""))).to.deep.equal({
      ...{ time: "2026-01-01T00:00:00.000Z", outcome: "stopped", reason: "wave rest: 2 of 7 devices failed" },
      waves: [
        { wave: "canary", stacks: 1, ok: 5, failed: 0, notDone: 0 },
        { wave: "rest", stacks: 1, ok: 5, failed: 2, notDone: 0 },
      ],
    });
  });

  it("has the waves of an earlier run only if it continues it", () => {
    rollout().add(countsOf("canary"));
    const on = rollout(true, 2);
    on.add(countsOf("rest"));
    on.end(ENDED, 0);
    expect(lastRolloutIn(path(""))).to.include({ outcome: "done", time: "2026-01-02T00:00:00.000Z" });
    expect(lastRolloutIn(path(""))?.waves.map(({ wave }) => wave)).to.deep.equal(["canary", "rest"]);
    rollout(false, 3).end(ENDED, 1);
    expect(lastRolloutIn(path(""))).to.deep.include({ outcome: "failed", waves: [] });
  });

  it("is the newest of several parts; a part that is not understood does not count", () => {
    rollout().end(ENDED, 0);
    new LastRollout(path(""), { index: 2, count: 4 }, { goesOn: false }).end({ interrupted: true }, 130);
    expect(lastRolloutIn(path(""))?.outcome).to.equal("interrupted");
    writeFileSync(path("last-rollout-2-of-4.json"), "{");
    expect(lastRolloutIn(path(""))?.outcome).to.equal("done");
  });

  it("ignores a time in the future, which would hide every later rollout", () => {
    rollout().end(ENDED, 0);
    const forged = { time: "2099-01-01T00:00:00.000Z", outcome: "failed", waves: [] };
    writeFileSync(path("last-rollout-2-of-4.json"), JSON.stringify(forged));
    expect(lastRolloutIn(path(""))?.outcome).to.equal("done");
  });

  it("fails nothing if it cannot be written", () => {
    const last = rollout();
    rmSync(path(""), { recursive: true });
    expect(() => last.end(ENDED, 0)).to.not.throw();
  });
});
