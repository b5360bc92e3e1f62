const START = Date.parse("2026-03-01T12:00:00Z");

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

export interface Clock {
  /** Lengths of the timers that were set, in milliseconds, in order. */
  readonly waits: number[];
  /** The value of Math.random. */
  random: number;
  /** Lets time pass without a timer. */
  advance(ms: number): void;
  /** Sets the computer's clock, which Date.now reads, back. */
  setBack(ms: number): void;
}

/**
 * A virtual clock for each test of the suite. It starts at 2026-03-01T12:00:00Z. A timer ends immediately, in the order
 * of the ends, and moves Date.now and performance.now by its time. The test chooses the value of Math.random.
 */
export function virtualClock(): Clock {
  const real = { setTimeout, clearTimeout, now: Date.now, elapsed: performance.now, random: Math.random };
  const pending = new Set<Timer>();
  let now = 0;
  let lag = 0;
  const clock = {
    waits: [] as number[],
    random: 0,
    advance: (ms: number) => {
      now += ms;
    },
    setBack: (ms: number) => {
      lag += ms;
    },
  };

  const fireNext = () => {
    const [next] = [...pending].sort((a, b) => a.due - b.due);
    if (!next) return;
    pending.delete(next);
    now = Math.max(now, next.due);
    next.fire();
    if (pending.size > 0) setImmediate(fireNext);
  };

  beforeEach(() => {
    now = 0;
    lag = 0;
    clock.waits.length = 0;
    clock.random = 0;
    pending.clear();
    const set = (fire: () => void, ms = 0) => {
      const timer = { due: now + ms, fire };
      clock.waits.push(ms);
      pending.add(timer);
      setImmediate(fireNext);
      return timer;
    };
    globalThis.setTimeout = set as unknown as typeof setTimeout;
    globalThis.clearTimeout = ((timer: Timer) => pending.delete(timer)) as unknown as typeof clearTimeout;
    Date.now = () => START + now - lag;
    performance.now = () => now;
    Math.random = () => clock.random;
  });

  afterEach(() => {
    globalThis.setTimeout = real.setTimeout;
    globalThis.clearTimeout = real.clearTimeout;
    Date.now = real.now;
    performance.now = real.elapsed;
    Math.random = real.random;
  });

  return clock;
}
