import { expect } from "chai";
import type { Failure } from "../../../provider/service/errors";
import { Gate } from "../../../provider/service/gate";
import { parseRetryAfter, type RetryOptions, retryWhileTransient, type Turn } from "../../../provider/service/retry";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";

function failing(transient: boolean, retryAfterMs?: number): Failure {
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

/** Retries where a slot is free. */
function retried<T extends object>(
  options: RetryOptions,
  signal: AbortSignal,
  work: (turn: Turn) => Promise<T | Failure>,
) {
  return retryWhileTransient(options, signal, new Gate(1), work);
}

describe("retryWhileTransient", () => {
  const clock = virtualClock();
  const never = new AbortController().signal;

  /** Fails with these in turn, then succeeds with the number of tries. */
  function attempts(...failures: Failure[]): (turn: Turn) => Promise<{ tries: number } | Failure> {
    let tries = 0;
    return async ({ begin }) => {
      begin();
      return failures[tries++] ?? { tries };
    };
  }

  it("tries once where that succeeds", async () => {
    expect(await retried(within(120), never, attempts())).to.deep.equal({ tries: 1 });
    expect(clock.waits).to.deep.equal([]);
  });

  it("tries again until it succeeds", async () => {
    const work = attempts(failing(true), failing(true));
    expect(await retried(within(120), never, work)).to.deep.equal({ tries: 3 });
  });

  it("never tries again after a final failure", async () => {
    for (const failure of [failing(false), failing(false, 0)]) {
      expect(await retried(within(120), never, attempts(failure))).to.equal(failure);
    }
    expect(clock.waits).to.deep.equal([]);
  });

  it("rejects with what an attempt rejects with, at once", async () => {
    const bug = new Error("bug");
    expect(await failureOf(retried(within(120), never, () => Promise.reject(bug)))).to.equal(bug);
    expect(clock.waits).to.deep.equal([]);
  });

  it("draws each pause from nothing to a length that doubles from 0.5 s to 20 s", async () => {
    clock.random = 0.999;
    await retried(within(3600), never, attempts(...Array<Failure>(8).fill(failing(true))));
    const longest = [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000];
    expect(clock.waits).to.deep.equal(longest.map((length) => length * 0.999));
  });

  it("may draw no pause at all", async () => {
    await retried(within(120), never, attempts(failing(true), failing(true)));
    expect(clock.waits).to.deep.equal([0, 0]);
  });

  it("waits as long as the service asks, to the millisecond", async () => {
    clock.random = 0.5;
    await retried(within(120), never, attempts(failing(true, 7000), failing(true, 45_000)));
    expect(clock.waits).to.deep.equal([7000, 45_000]);
  });

  it("fails at once where the service asks to wait longer than there is time", async () => {
    const error = failing(true, 121_000);
    expect(await retried(within(120), never, attempts(error))).to.equal(error);
    expect(clock.waits).to.deep.equal([]);
  });

  it("counts the time that is already gone", async () => {
    const error = failing(true, 70_000);
    expect(await retried(within(120), never, attempts(failing(true, 60_000), error))).to.equal(error);
    expect(clock.waits).to.deep.equal([60_000]);
  });

  it("does not shorten the pause that no longer fits: it ends with the last failure", async () => {
    clock.random = 0.5;
    const begin = Date.now();
    const errors = Array.from({ length: 9 }, () => failing(true));
    expect(await retried(within(10), never, attempts(...errors))).to.equal(errors[5]);
    expect(clock.waits).to.deep.equal([250, 500, 1000, 2000, 4000]);
    expect(Date.now() - begin).to.equal(7750);
  });

  /** How long each try might take, in seconds, where every one fails after `takes` seconds, or all the time it has. */
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

  it("tries once, for as long as a request may take, where there is no time for more", async () => {
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

  it("says how long a try may wait before it begins: at first as long as a request may take, then what is left", async () => {
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

  it("gives a try that begins late, as after the process was stopped, time for an answer", async () => {
    const given: number[] = [];
    await retried(within(10), never, async ({ begin }) => {
      if (given.length > 0) clock.advance(3_600_000);
      given.push(begin());
      return failing(true);
    });
    expect(given).to.deep.equal([30, 1]);
  });

  it("tries no longer where somebody sets the clock of the computer back", async () => {
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

  it("tells after three failures that it goes on, and why, once", async () => {
    const told: string[] = [];
    const options = { ...within(120), onRetry: ({ reason }: Failure) => told.push(reason) };
    await retried(options, never, attempts(failing(true), failing(true)));
    expect(told).to.deep.equal([]);
    await retried(options, never, attempts(...Array<Failure>(5).fill(failing(true))));
    expect(told).to.deep.equal(["HTTP 503"]);
  });

  it("does not wait less than it draws, however little the service asks for", async () => {
    clock.random = 0.5;
    await retried(within(120), never, attempts(failing(true, 0), failing(true, 0)));
    expect(clock.waits).to.deep.equal([250, 500]);
  });

  it("ends with the last failure where what is left is too short for another try", async () => {
    const error = failing(true, 9500);
    expect(await retried(within(10), never, attempts(error))).to.equal(error);
    expect(clock.waits).to.deep.equal([]);
  });

  it("stops trying when it is told to", async () => {
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

  it("does not begin where it was told to stop before", async () => {
    const work = () => Promise.reject(new Error("was tried"));
    const stopped = AbortSignal.abort(new Error("enough"));
    expect((await failureOf(retried(within(120), stopped, work))).message).to.equal("enough");
  });

  it("does not count the time that a try waits for a slot, be it the first or a later one", async () => {
    /** Each wait for its slot takes an hour. */
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

  it("does not try what was told to stop while it waited for a slot", async () => {
    const slots = new Gate(1);
    const stop = new AbortController();
    void slots.pass(async () => {
      await null;
      stop.abort(new Error("enough"));
    });
    const work = () => Promise.reject(new Error("was tried"));
    expect((await failureOf(retryWhileTransient(within(10), stop.signal, slots, work))).message).to.equal("enough");
  });

  it("leaves no timer behind where it is told to stop in a pause", async () => {
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
