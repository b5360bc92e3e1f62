import { setMaxListeners } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { Pace } from "../../../provider/service/pace";
import { temporaryFolder } from "../../support/folder";

describe("the pace of requests", () => {
  const path = temporaryFolder();
  const { signal } = new AbortController();
  setMaxListeners(0, signal);

  /** The time until the last of this many requests of several processes may be sent, in milliseconds. */
  async function duration(paces: readonly Pace[], count: number): Promise<number> {
    const start = performance.now();
    await Promise.all(Array.from({ length: count }, (_, index) => (paces[index % paces.length] as Pace).turn(signal)));
    return performance.now() - start;
  }

  for (const [words, pacesOf] of [
    ["of one process", () => [new Pace(6_000)]],
    ["of three processes with the same file", () => [1, 2, 3].map(() => new Pace(6_000, path("pace")))],
  ] as const) {
    it(`is even, and no faster than allowed: ${words}`, async () => {
      // One request each 10 ms; a timer can be early by one.
      expect(await duration(pacesOf(), 12)).to.be.at.least(11 * 10 - 2);
    });
  }

  for (const [words, file] of [
    ["of one process", undefined],
    ["of several processes", "pace"],
  ] as const) {
    it(`does not stop if the clock is set back: ${words}`, async () => {
      const pace = new Pace(6_000, file && path(file));
      await pace.turn(signal);
      const { now } = Date;
      Date.now = () => now() - 3_600_000;
      try {
        expect(await duration([pace], 2)).to.be.below(1000);
      } finally {
        Date.now = now;
      }
    });
  }

  it("skips a line that was cut short, and counts those around it", async () => {
    const [first, second] = [new Pace(6_000, path("pace")), new Pace(6_000, path("pace"))];
    await duration([first], 3);
    appendFileSync(path("pace"), '{"pid":1,"at":17');
    await duration([first], 3);
    expect(await duration([second], 4)).to.be.at.least(3 * 10 - 2);
    const [own] = readFileSync(path("pace"), "utf8").split("\n").slice(-2);
    expect(JSON.parse(own ?? "")).to.have.property("pid", process.pid);
  });

  it("does not save up what was not used", async () => {
    const pace = new Pace(6_000, path("pace"));
    await pace.turn(signal);
    await duration([new Pace(60_000, path("other"))], 50);
    expect(await duration([pace], 4)).to.be.at.least(3 * 10 - 2);
  });

  it("ends when the run is stopped", async () => {
    const stopped = new AbortController();
    const pace = new Pace(0.1);
    await pace.turn(stopped.signal);
    const next = pace.turn(stopped.signal);
    stopped.abort(new Error("stopped"));
    await next.then(
      () => expect.fail("went out"),
      (error: Error) => expect(error.message).to.equal("stopped"),
    );
  });
});
