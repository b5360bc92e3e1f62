import type { Unmeasured } from "./baseLoad";
import { median, scatterOf, sum } from "./numbers";
import { isFast, type NotEnough, type Session } from "./sessions";

/** The usable energy of a battery: Wh that raise the displayed charge from 0 to 100 %. */
export interface Capacity {
  readonly kind: "measured";
  readonly value: number;
  /** Standard deviation, relative to the value. */
  readonly deviation: number;
  /** Number of sessions that agree with the value. */
  readonly sessions: number;
  /** The place at which the energy was measured. */
  readonly from: "battery" | "charger";
  /** The energy at the charger for the same charge, in Wh. */
  readonly drawn?: number;
}

/** The result if the sessions are of two cars. */
export interface SeveralCars {
  readonly kind: "severalCars";
  /** Both capacities, in Wh. */
  readonly several: readonly [number, number];
}

/**
 * Share of the energy at the charger that arrives in the battery; and the power that the car needs for itself, in W,
 * which is subtracted first.
 */
const [EFFICIENCY, OWN_POWER] = [0.943, 210];

/** Share of the energy that arrives, for sessions without hours of charging. */
const USUAL_EFFICIENCY = 0.895;

/** Minimum number of sessions, and minimum sum of their rises of charge, for a value. */
const [FEWEST, LEAST_RISE] = [5, 1.5];

/** Smallest rise of charge of a useful session. */
const SMALL_RISE = 0.08;

/** Largest ± of a value, as a share of it. */
const MOST_UNCERTAIN = 0.2;

/**
 * If sessions scatter more than this many times as much as expected, they are wrong, or of several batteries (our
 * choice).
 */
const MOST_SCATTER = 4;

/** Logarithm of the capacity that one session shows, and its standard deviation. */
interface Sample {
  readonly x: number;
  readonly deviation: number;
  readonly session: Session;
  readonly rise: number;
}

/** The capacity that charging sessions show. A declared capacity never takes part, because it may be wrong. */
export function capacityOf(sessions: readonly Session[]): Capacity | SeveralCars | Unmeasured {
  const read = sessions.length;
  const without = (reason: NotEnough, kept: number) =>
    ({ kind: "notEnough", reason, read, kept, atLeast: leastCapacity(sessions) }) as const;
  if (!sessions.some(({ from, to }) => from !== undefined && to !== undefined)) return without("noStateOfCharge", 0);
  const known = sessions.filter((one) => riseOf(one) >= SMALL_RISE);
  const isBattery = known.filter(({ added = 0 }) => added > 0).length > 0.6 * known.length;
  const used = known.filter((one) => isBattery || !isFast(one));
  const isTimed = !isBattery && used.every(({ hours }) => hours !== undefined);
  const samples = used.flatMap((session): Sample[] => {
    const { added = 0, drawn = 0, hours = 0 } = session;
    const energy = isBattery ? added : isTimed ? EFFICIENCY * (drawn - OWN_POWER * hours) : USUAL_EFFICIENCY * drawn;
    const rise = riseOf(session);
    // The state of charge is rounded at both ends. A car that charges to 100 % also balances its cells.
    const balancing = !isBattery && (session.to ?? 0) >= 99 ? 0.02 : 0;
    const deviation = Math.hypot(0.0041 / rise, isBattery ? 0.012 : 0.022, balancing);
    return energy > 500 ? [{ x: Math.log(energy / rise), deviation, session, rise }] : [];
  });
  const risen = sum(samples.map(({ rise }) => rise));
  if (samples.length < FEWEST || risen < LEAST_RISE)
    return without(read < FEWEST ? "fewSessions" : "unusableSessions", samples.length);
  const several = twoCars(samples.map(({ x }) => x));
  if (several) return { kind: "severalCars", several };
  const { x, spread, scale, kept } = location(samples);
  const system = isBattery ? 0.014 : isTimed ? 0.026 : 0.042;
  const rejected = 0.06 * (1 - kept.length / samples.length);
  const deviation = Math.hypot(spread, system, rejected);
  if (2 * deviation > MOST_UNCERTAIN || scale > MOST_SCATTER || kept.length < 4)
    return without("variesTooMuch", kept.length);
  const drawn = kept.flatMap(({ session, rise }) => (session.drawn && !isFast(session) ? [session.drawn / rise] : []));
  return {
    kind: "measured",
    value: Math.exp(x),
    deviation,
    sessions: kept.length,
    from: isBattery ? "battery" : "charger",
    ...(drawn.length > 0 && { drawn: median(drawn) }),
  };
}

function riseOf({ from, to }: Session): number {
  return from === undefined || to === undefined ? 0 : (to - from) / 100;
}

/**
 * The lower limit of the capacity. One session cannot draw much more than a full battery. The largest may be a wrong
 * row, so the second largest counts.
 */
function leastCapacity(sessions: readonly Session[]): number | undefined {
  const drawn = sessions
    .filter((one) => !isFast(one))
    .map(({ drawn = 0 }) => drawn)
    .sort((a, b) => b - a);
  return drawn.length > 7 ? 0.8 * (drawn[1] as number) : undefined;
}

/**
 * The value on which samples agree. An old state of charge, heating and balancing all make a session look larger. So
 * the search starts below the median, and rejects samples sooner above the value than below it.
 */
function location(samples: readonly Sample[]) {
  const weights = samples.map(({ deviation }) => 1 / deviation ** 2);
  let x = weightedQuantile(
    samples.map((one) => one.x),
    weights,
    0.45,
  );
  let trust: number[] = weights;
  let scale = 1;
  for (let round = 0; round < 20; round++) {
    const off = samples.map((one) => (one.x - x) / one.deviation);
    scale = Math.max(1, 1.4826 * weightedQuantile(off.map(Math.abs), weights, 0.5));
    trust = off.map((z, i) => {
      const u = z / scale / (z > 0 ? 3 : 4);
      return (weights[i] as number) * Math.max(0, 1 - u * u) ** 2;
    });
    x = sum(trust.map((one, i) => one * (samples[i] as Sample).x)) / sum(trust);
  }
  const scatter = Math.sqrt(sum(trust.map((one, i) => (one * ((samples[i] as Sample).x - x)) ** 2)));
  const isKept = (i: number) => (trust[i] as number) > 0.3 * (weights[i] as number);
  const expected = 1 / Math.sqrt(sum(weights.filter((_, i) => isKept(i))));
  return {
    x,
    scale,
    spread: Math.max(scatter / sum(trust), expected),
    kept: samples.filter((_, i) => isKept(i)),
  };
}

/** The two values, if the samples are clearly of two cars. */
function twoCars(all: readonly number[]): [number, number] | undefined {
  const sorted = Float64Array.from(all).sort();
  const fewest = Math.max(6, 0.2 * sorted.length);
  const sums = new Float64Array(sorted.length + 1);
  for (const [i, one] of sorted.entries()) sums[i + 1] = (sums[i] as number) + one;
  // The sum of distances from the median is the upper half minus the lower half.
  const distances = (from: number, to: number) => {
    const [low, high] = [Math.floor((from + to) / 2), Math.ceil((from + to) / 2)];
    const between = (a: number, b: number) => (sums[b] as number) - (sums[a] as number);
    return between(high, to) - between(from, low);
  };
  let [best, split] = [Number.POSITIVE_INFINITY, 0];
  for (let i = Math.ceil(fewest); i <= sorted.length - fewest; i++) {
    const cost = distances(0, i) + distances(i, sorted.length);
    if (cost < best) [best, split] = [cost, i];
  }
  const groups = [sorted.slice(0, split), sorted.slice(split)];
  const [low, high] = groups.map((group) => median(group)) as [number, number];
  const isApart = high - low > 0.22 && Math.max(...groups.map(scatterOf)) < 0.16 * (high - low) + 0.02;
  return isApart ? [Math.exp(low), Math.exp(high)] : undefined;
}

function weightedQuantile(values: readonly number[], weights: readonly number[], share: number): number {
  const order = Uint32Array.from(values.keys()).sort((a, b) => (values[a] as number) - (values[b] as number));
  const goal = share * sum(weights);
  let passed = 0;
  const found = order.find((i) => {
    passed += weights[i] as number;
    return passed >= goal;
  });
  return values[found as number] as number;
}
