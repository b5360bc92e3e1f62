import { expect } from "chai";
import { guarded } from "../../../provider/lifecycle/guard";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";

describe("guarded", () => {
  virtualClock();
  const forever = () => new Promise<never>(() => {});

  it("gives what the handler gives, whether it waits or not", async () => {
    expect(await guarded("read", 10, () => 5)).to.equal(5);
    expect(await guarded("read", 10, async () => 6)).to.equal(6);
  });

  it("lets an Error through as it is", async () => {
    class OwnError extends Error {}
    const error = new OwnError("no device");
    expect(await failureOf(guarded("read", 10, () => Promise.reject(error)))).to.equal(error);
    expect(
      await failureOf(
        guarded("read", 10, () => {
          throw error;
        }),
      ),
    ).to.equal(error);
  });

  const thrown: [unknown, string][] = [
    ["no device", "read failed: no device"],
    [undefined, "read failed: no reason was given"],
    [null, "read failed: no reason was given"],
    [{ message: "x" }, "read failed: no reason was given"],
    [5, "read failed: no reason was given"],
    [new Error(""), "read failed: no reason was given"],
  ];
  for (const [value, message] of thrown) {
    it(`makes an Error with a message of ${value instanceof Error ? "one without" : JSON.stringify(value)}`, async () => {
      const asynchronous = await failureOf(guarded("read", 10, () => Promise.reject(value)));
      const synchronous = await failureOf(
        guarded("read", 10, () => {
          throw value;
        }),
      );
      for (const error of [asynchronous, synchronous]) {
        expect(error).to.be.instanceOf(Error);
        expect(error.message).to.equal(message);
      }
    });
  }

  const unprintable: [string, string, string][] = [
    ["control characters, which would rule the user's terminal", "type '\u001b[2J\n\u202e\u009b'", "type ' [2J   '"],
    ["a lone surrogate, which the host could not send", "type '\ud800'", "type '\ufffd'"],
    ["100,000 characters, which the host could not send", "x".repeat(100_000), "x".repeat(4000)],
    ["a pair of surrogates at its end", `${"x".repeat(3999)}🚗`, `${"x".repeat(3999)}\ufffd`],
  ];
  for (const [what, given, shown] of unprintable) {
    it(`cleans a message with ${what}`, async () => {
      const error = new Error(given);
      expect(await failureOf(guarded("read", 10, () => Promise.reject(error)))).to.equal(error);
      expect(error.message).to.equal(shown);
    });
  }

  it("gives up on a handler that never ends", async () => {
    const begin = Date.now();
    expect((await failureOf(guarded("create", 30, forever))).message).to.equal("create gave up after 30 s");
    expect(Date.now() - begin).to.be.within(30_000, 40_000);
  });

  it("tells the handler to stop first, and lets it say what it knows", async () => {
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error(`half done: ${signal.reason.message}`)));
      });
    const begin = Date.now();
    expect((await failureOf(guarded("create", 30, work))).message).to.equal("half done: create gave up after 30 s");
    expect(Date.now() - begin).to.equal(30_000);
  });

  it("takes what a handler still gives after it was told to stop", async () => {
    const work = (signal: AbortSignal) =>
      new Promise<number>((resolve) => signal.addEventListener("abort", () => resolve(7)));
    expect(await guarded("create", 30, work)).to.equal(7);
  });

  it("does not tell a handler to stop that has ended", async () => {
    let seen: AbortSignal | undefined;
    await guarded("read", 10, (signal) => {
      seen = signal;
    });
    await new Promise((next) => setImmediate(next));
    expect(seen?.aborted).to.equal(false);
  });
});
