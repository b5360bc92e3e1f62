import { setMaxListeners } from "node:events";
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
