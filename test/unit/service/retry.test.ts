import { expect } from "chai";
import type { Message } from "../../../provider/messages/message";
import { failureOfTimeout, type ServiceFailure } from "../../../provider/service/errors";
import { Gate } from "../../../provider/service/gate";
import { parseRetryAfter, type RetryOptions, retryWhileTransient, type Turn } from "../../../provider/service/retry";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";

function failing(transient: boolean, retryAfterMs?: number): ServiceFailure {
  return {
    code: "serviceFails",
    reason: "HTTP 503",
    advice: "Wait",
    transient,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function within(retryTimeoutSeconds: number): RetryOptions {
  return { requestTimeoutSeconds: 30, retryTimeoutSeconds, onRetry: () => {} };
}

/** Retries in which a slot is always free. */
function retried<T extends object>(
  options: RetryOptions,
  signal: AbortSignal,
  work: (turn: Turn) => Promise<T | ServiceFailure>,
) {
  return retryWhileTransient(options, signal, new Gate(1), work);
}

describe("retryWhileTransient", () => {
  const clock = virtualClock();
  const never = new AbortController().signal;

  /** An attempt that fails in these ways in turn, and then succeeds with the number of tries. */
  function attempts(...failures: ServiceFailure[]): (turn: Turn) => Promise<{ tries: number } | ServiceFailure> {
    let tries = 0;
    return async ({ begin }) => {
      begin();
      return failures[tries++] ?? { tries };
    };
  }

  const passing = (...retryAfter: (number | undefined)[]) => retryAfter.map((one) => failing(true, one));
  const unasked = (count: number) => passing(...Array<undefined>(count).fill(undefined));
  const LONGEST = [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000];
  for (const [what, seconds, random, failures, waits] of [
    ["until it succeeds, with no pause at all if none is drawn", 120, 0, unasked(2), [0, 0]],
    [
      "in pauses from nothing to a length that doubles to 20 s",
      3600,
      0.999,
      unasked(8),
      LONGEST.map((one) => one * 0.999),
    ],
    ["after as long as the service asks, to the millisecond", 120, 0.5, passing(7000, 45_000), [7000, 45_000]],
    ["after no less than it draws, however little the service asks for", 120, 0.5, passing(0, 0), [250, 500]],
  ] as const) {
    it(`tries again ${what}`, async () => {
      clock.random = random;
      expect(await retried(within(seconds), never, attempts(...failures))).to.deep.equal({
        tries: failures.length + 1,
      });
      expect(clock.waits).to.deep.equal(waits);
    });
  }

  for (const [what, seconds, random, failures, waits] of [
    ["a final failure", 120, 0, [failing(false)], []],
    ["a final failure, though it asks to wait", 120, 0, [failing(false, 0)], []],
    ["one that asks to wait longer than there is time", 120, 0, passing(121_000), []],
    ["one that asks to wait longer than is left", 120, 0, passing(60_000, 70_000), [60_000]],
    ["one behind which is too little time for another try", 10, 0, passing(9500), []],
    ["the one whose pause no longer fits, and is not shortened", 10, 0.5, unasked(6), [250, 500, 1000, 2000, 4000]],
  ] as const) {
    it(`ends with ${what}`, async () => {
      clock.random = random;
      const begin = Date.now();
      expect(await retried(within(seconds), never, attempts(...failures, failing(true)))).to.equal(failures.at(-1));
      expect(clock.waits).to.deep.equal(waits);
      expect(Date.now() - begin).to.equal(waits.reduce((sum: number, one) => sum + one, 0));
    });
  }

  it("ends with a failure that is retried for a shorter time, when that time is over", async () => {
    clock.random = 0.999;
    const begin = Date.now();
    const local = { ...failing(true), retrySeconds: 10 };
    expect(await retried(within(120), never, attempts(...Array<ServiceFailure>(9).fill(local)))).to.equal(local);
    expect(Date.now() - begin).to.be.within(5000, 10_000);
  });

  it("retries for no longer than is configured, whatever the failure allows", async () => {
    clock.random = 0.999;
    const begin = Date.now();
    const local = { ...failing(true), retrySeconds: 10 };
    await retried(within(4), never, attempts(...Array<ServiceFailure>(9).fill(local)));
    expect(Date.now() - begin).to.be.below(4000);
  });

  it("has the whole time again when another failure follows the short one", async () => {
    clock.random = 0.999;
    const begin = Date.now();
    const last = failing(true);
    await retried(within(120), never, attempts({ ...last, retrySeconds: 10 }, ...Array<ServiceFailure>(20).fill(last)));
    expect(Date.now() - begin).to.be.above(60_000);
  });

  it("rejects with what an attempt rejects with, at once", async () => {
    const bug = new Error("bug");
    expect(await failureOf(retried(within(120), never, () => Promise.reject(bug)))).to.equal(bug);
    expect(clock.waits).to.deep.equal([]);
  });

  /**
   * The time limit of each try, in seconds, if each try fails after `takes` seconds. Default: each uses its whole
   * limit.
   */
  async function limits(options: RetryOptions, takes = Number.POSITIVE_INFINITY): Promise<number[]> {
    const given: number[] = [];
    const work = async ({ begin }: Turn) => {
      const timeoutSeconds = begin();
      given.push(timeoutSeconds);
      clock.advance(Math.min(takes, timeoutSeconds) * 1000);
      return failing(true);
    };
    await retried(options, never, work);
    return given;
  }

  /** The result if the service answers in these ways in turn: with 503 after a second, or not at all. */
  async function resultOf(options: RetryOptions, ...answers: ("503" | "nothing")[]) {
    return await retried(options, never, async ({ begin }) => {
      const timeoutSeconds = begin();
      const isAnswer = answers.shift() === "503";
      clock.advance((isAnswer ? 1 : timeoutSeconds) * 1000);
      return isAnswer ? failing(true) : failureOfTimeout(timeoutSeconds);
    });
  }

  for (const [what, seconds, answers, end] of [
    ["the answer before, if the last try is cut short", 20, ["503", "nothing"], failing(true)],
    ["the time-out of a whole try, if the next one is cut short", 40, ["nothing", "nothing"], failureOfTimeout(30)],
    ["the time-out of the last try, if that had its whole time", 60, ["503", "nothing"], failureOfTimeout(30)],
    ["the answer to a try with little time, if there is one", 32, ["nothing", "503"], failing(true)],
  ] as const) {
    it(`ends with ${what}`, async () => {
      clock.random = 0;
      expect(await resultOf(within(seconds), ...answers)).to.deep.equal(end);
    });
  }

  it("tries once, for as long as a request may take, if there is no time for more", async () => {
    for (const takes of [0, Number.POSITIVE_INFINITY]) {
      expect(await limits(within(0), takes)).to.deep.equal([30]);
    }
  });

  it("gives later tries no more time than is left", async () => {
    const begin = Date.now();
    expect(await limits(within(70))).to.deep.equal([30, 30, 10]);
    expect(Date.now() - begin).to.equal(70_000);
    expect(await limits(within(10), 4)).to.deep.equal([30, 6, 2]);
  });

  it("gives the longest wait of a try before it begins: at first the time of a request, then the rest of it", async () => {
    const waitable: number[] = [];
    const work = async (turn: Turn) => {
      waitable.push(turn.waitable());
      turn.begin();
      clock.advance(4000);
      return failing(true);
    };
    await retried(within(10), never, work);
    await retried(within(0), never, work);
    await retried({ ...within(60), requestTimeoutSeconds: 5 }, never, async (turn) => {
      waitable.push(turn.waitable());
      return { tries: 1 };
    });
    expect(waitable).to.deep.equal([30_000, 5000, 1000, 30_000, 60_000]);
  });

  it("gives a late try time for an answer, for example after the process was stopped", async () => {
    const given: number[] = [];
    await retried(within(10), never, async ({ begin }) => {
      if (given.length > 0) clock.advance(3_600_000);
      given.push(begin());
      return failing(true);
    });
    expect(given).to.deep.equal([30, 1]);
  });

  it("tries no longer if somebody sets the clock of the computer back", async () => {
    let tries = 0;
    await retried(within(60), never, async ({ begin }) => {
      begin();
      tries += 1;
      if (tries === 1) clock.setBack(600_000);
      clock.advance(1000);
      return failing(true);
    });
    expect(performance.now()).to.be.at.most(60_000);
  });

  it("counts the time that a try waits once it is its turn", async () => {
    const given: number[] = [];
    const work = async (turn: Turn) => {
      clock.advance(Math.min(turn.waitable(), 55_000));
      given.push(turn.begin());
      clock.advance(1000);
      return failing(true);
    };
    const begin = Date.now();
    await retried(within(60), never, work);
    expect(given).to.deep.equal([30, 1]);
    expect(Date.now() - begin).to.equal(60_000);
  });

  it("reports once, after three failures, that it continues, and why", async () => {
    const told: string[] = [];
    const options = { ...within(120), onRetry: ({ finding }: Message) => told.push(finding) };
    await retried(options, never, attempts(failing(true), failing(true)));
    expect(told).to.deep.equal([]);
    await retried(options, never, attempts(...Array<ServiceFailure>(5).fill(failing(true))));
    expect(told).to.deep.equal(["HTTP 503: retrying for up to 120 s"]);
    told.length = 0;
    await retried(options, never, attempts(...Array<ServiceFailure>(5).fill({ ...failing(true), retrySeconds: 30 })));
    expect(told).to.deep.equal(["HTTP 503: retrying for up to 30 s"]);
  });

  it("stops trying when it is asked to", async () => {
    const stop = new AbortController();
    let tries = 0;
    const work = async ({ begin }: Turn) => {
      begin();
      tries += 1;
      stop.abort(new Error("enough"));
      return failing(true);
    };
    expect((await failureOf(retried(within(120), stop.signal, work))).message).to.equal("enough");
    expect(tries).to.equal(1);
  });

  it("does not begin if it was asked to stop before", async () => {
    const work = () => Promise.reject(new Error("was tried"));
    const stopped = AbortSignal.abort(new Error("enough"));
    expect((await failureOf(retried(within(120), stopped, work))).message).to.equal("enough");
  });

  it("does not count the time that a try waits for a slot, be it the first or a later one", async () => {
    /** A gate at which each task waits an hour. */
    class Crowded extends Gate {
      override async pass<T>(work: () => Promise<T>): Promise<T> {
        clock.advance(3_600_000);
        return await super.pass(work);
      }
    }
    const given: number[] = [];
    const work = async ({ begin }: Turn) => {
      given.push(begin());
      clock.advance(1000);
      return given.length < 3 ? failing(true) : { tries: given.length };
    };
    expect(await retryWhileTransient(within(10), never, new Crowded(1), work)).to.deep.equal({ tries: 3 });
    expect(given).to.deep.equal([30, 9, 8]);
  });

  it("does not try what was asked to stop while it waited for a slot", async () => {
    const slots = new Gate(1);
    const stop = new AbortController();
    void slots.pass(async () => {
      await null;
      stop.abort(new Error("enough"));
    });
    const work = () => Promise.reject(new Error("was tried"));
    expect((await failureOf(retryWhileTransient(within(10), stop.signal, slots, work))).message).to.equal("enough");
  });

  it("leaves no timer behind if it is asked to stop in a pause", async () => {
    clock.random = 1;
    const stop = new AbortController();
    const work = attempts(failing(true), failing(true));
    const begin = Date.now();
    const failed = failureOf(retried({ ...within(120), onRetry: () => {} }, stop.signal, work));
    await new Promise<void>((next) => process.nextTick(next));
    stop.abort(new Error("enough"));
    expect((await failed).message).to.equal("enough");
    await new Promise((next) => setImmediate(next));
    expect(Date.now()).to.equal(begin);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const headers: [string | null, number | undefined][] = [
    ["0", undefined],
    ["7", 7000],
    [" 120 ", 120_000],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["Sunday, 01-Mar-26 12:01:00 GMT", 60_000],
    ["Sun Mar  1 12:00:05 2026 GMT", 5000],
    ["Sun, 01 Mar 2026 11:59:00 GMT", undefined],
    ["9".repeat(400), undefined],
    [null, undefined],
    ["", undefined],
    ["soon", undefined],
    ["1.5", undefined],
    ["-1", undefined],
  ];
  for (const [header, expected] of headers) {
    it(`reads ${JSON.stringify(header?.slice(0, 40) ?? null)} as ${expected === undefined ? "nothing usable" : `${expected} ms`}`, () => {
      expect(parseRetryAfter(header, now)).to.equal(expected);
    });
  }
});
