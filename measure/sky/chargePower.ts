import type { Unmeasured } from "./baseLoad";
import { quantile, spreadOf } from "./numbers";
import { FAST, isFast, type Session } from "./sessions";

/** The highest power at the charger that a car holds at home, in W. */
export interface ChargePower {
  readonly kind: "measured";
  readonly value: number;
  /** Standard deviation, relative to the value. */
  readonly deviation: number;
  /** Sessions with this power. */
  readonly sessions: number;
  /** The usual connection with the nearest power. It is shown beside the value, and decides nothing. */
  readonly phases: number;
  readonly amps: number;
}

/** The usual connections. Of two with the same power, the first one is more usual. */
const CONNECTIONS = [3, 1, 2].flatMap((phases) => [10, 13, 16, 20, 32, 40, 48].map((amps) => ({ phases, amps })));

/** Volts between a phase and neutral. */
const VOLTS = 230;

/** Minimum number of sessions for a value. */
const FEWEST = 5;

/** The charge power that sessions show. A declared one never takes part, because it may be wrong. */
export function chargePowerOf(sessions: readonly Session[]): ChargePower | Unmeasured {
  const own = sessions.filter((one) => (one.drawn ?? 0) > 0 && !isFast(one));
  const peaks = own.flatMap(({ peak = 0 }) => (peak > 0 && peak < FAST ? [peak] : []));
  const timed = own.filter(({ hours }) => hours !== undefined);
  // Surplus charging follows the sun, not the car.
  const hasSolar = timed.some(({ solar }) => solar !== undefined);
  const fromGrid = hasSolar ? timed.filter(({ solar = 0 }) => solar < 60) : timed;
  const means = fromGrid
    .filter(({ hours = 0, drawn = 0, to = 0 }) => hours >= 0.33 && drawn >= 2000 && to < 99)
    .map(meanPower);
  const powers = Float64Array.from(peaks.length >= FEWEST ? peaks : means).sort();
  if (powers.length < FEWEST) {
    const [reason, kept] = (
      [
        ["fewSessions", sessions],
        ["unusableSessions", own],
        ["plugTimes", timed],
        ["onlySurplus", fromGrid],
      ] as const
    ).find(([, some]) => some.length < FEWEST) ?? ["unusableSessions" as const, powers];
    // The highest power may be a wrong row. If a session has no hours, only its power shows that it was at a fast
    // charger.
    const atLeast = own
      .filter(({ drawn = 0 }) => drawn > 3000)
      .map(meanPower)
      .filter((power) => power <= FAST)
      .sort((a, b) => b - a)[1];
    return {
      kind: "notEnough",
      reason,
      read: sessions.length,
      kept: kept.length,
      atLeast,
    };
  }
  const level = levelOf(powers);
  if (!level) {
    const atLeast = quantile(powers, 0.95);
    return { kind: "notEnough", reason: "variesTooMuch", read: sessions.length, kept: powers.length, atLeast };
  }
  const value = quantile(level, 0.6);
  const deviation = Math.hypot(0.022, spreadOf(level) / Math.sqrt(level.length) / value);
  const distance = (one: { phases: number; amps: number }) =>
    Math.abs(Math.log(value / (one.phases * one.amps * VOLTS)));
  const nearest = CONNECTIONS.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  return { kind: "measured", value, deviation, sessions: level.length, ...nearest };
}

/**
 * The highest powers that agree with each other, with a gap below them.
 * @param powers in rising order
 */
function levelOf(powers: Float64Array): Float64Array | undefined {
  const most = Math.max(2, 0.1 * powers.length);
  for (const power of powers.toReversed()) {
    if (powers.filter((one) => one > power).length > most) break;
    const near = powers.filter((one) => one <= power && one > 0.95 * power);
    // The number of sessions in this range if all powers were spread evenly.
    const chance = powers.filter((one) => one <= 0.95 * power && one > 0.5 * power).length / 9;
    if (near.length >= 3 && near.length >= chance + 3 * Math.sqrt(chance) + 2) return near;
  }
  return undefined;
}

function meanPower({ drawn = 0, hours, start, end }: Session): number {
  return drawn / (hours ?? Math.max(0.1, (end - start) / 3600));
}
