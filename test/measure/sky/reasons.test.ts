import { expect } from "chai";
import fc from "fast-check";
import { baseLoadOf, type House, showsOnlyNights } from "../../../measure/sky/baseLoad";
import { capacityOf } from "../../../measure/sky/capacity";
import { chargePowerOf } from "../../../measure/sky/chargePower";
import { cutInOf } from "../../../measure/sky/cutIn";
import { findingsOf } from "../../../measure/sky/findings";
import { seriesOf, stepsAt } from "../../../measure/sky/series";
import type { Session } from "../../../measure/sky/sessions";
import { simulatedCar } from "../../support/charging";
import { houseOf, simulatedHouse, simulatedInverter } from "../../support/houses";
import { simulatedRoof } from "../../support/simulatedRoofs";

const DAY = 86_400;
const HOUSES = (["load", "import", "import and return"] as const).map((seen) =>
  houseOf(simulatedHouse(4, { days: 40, hasSolar: seen !== "load", step: 60, hasHeating: true }), seen),
);
const MINUTES = 5;
const { mornings: MORNINGS } = simulatedInverter(4, MINUTES, 30);
const { sessions: SESSIONS } = simulatedCar(4, { fast: 0.1 });

/** What a reason says of a house, counted in another way than the reason. */
const OF_HOUSE: Readonly<Record<string, (house: House, read: number, kept: number) => boolean>> = {
  fewDays: (house, read) => daysIn(house) === read && read < 14,
  daysWithGaps: (house, read, kept) => daysIn(house) === read && read >= 14 && kept < 14 && wholeDaysIn(house) < 14,
  daysAtZero: (house, read, kept) => read >= 14 && kept < 14 && daysAtZeroIn(house) > 0,
  batteryAtNight: (house, read, kept) => showsOnlyNights(house) && daysIn(house) >= 14 && kept < 0.92 * read,
  onlyWinter: (house, _, kept) => kept < 14 && summerDaysIn(house) < 16,
};

const known = ({ power }: House) => Array.from(power.keys()).filter((i) => !Number.isNaN(power[i]));
const dayOf = (house: House, i: number) => Math.floor((house.local[i] as number) / DAY);
const daysIn = (house: House) => new Set(known(house).map((i) => dayOf(house, i))).size;

/** The days with enough values: a night counts to the morning. */
function wholeDaysIn(house: House): number {
  const isNight = showsOnlyNights(house);
  const counts = new Map<number, number>();
  for (const i of known(house)) {
    const at = (house.local[i] as number) + (isNight ? 3600 : 0);
    const hour = (at % DAY) / 3600;
    if (isNight && (hour >= 5.5 || (house.returned?.[i] ?? 0) >= 1)) continue;
    counts.set(Math.floor(at / DAY), (counts.get(Math.floor(at / DAY)) ?? 0) + house.step / 60);
  }
  return [...counts.values()].filter((hours) => hours >= (isNight ? 3.4 : 18)).length;
}

function daysAtZeroIn(house: House): number {
  const zeros = known(house).filter((i) => house.power[i] === 0);
  return new Set(zeros.map((i) => dayOf(house, i))).size;
}

function summerDaysIn(house: House): number {
  const days = new Set(known(house).map((i) => dayOf(house, i)));
  return [...days].filter((day) => new Date(day * DAY * 1000).getUTCMonth() % 12 >= 2).length;
}

/** A part of a file, with holes: stretches of days that are missing or 0. */
const DAMAGE = fc.record({
  days: fc.integer({ min: 1, max: 40 }),
  holes: fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: 40 * 24 }),
      hours: fc.integer({ min: 1, max: 600 }),
      value: fc.constantFrom(0, 3, Number.NaN),
    }),
    { maxLength: 4 },
  ),
  every: fc.integer({ min: 1, max: 3 }),
});

type Damage = typeof DAMAGE extends fc.Arbitrary<infer Of> ? Of : never;

function damaged(house: House, { days, holes }: Damage): House {
  const count = (days * DAY) / (house.step * 60);
  const power = house.power.slice(0, count);
  for (const { from, hours, value } of holes) power.fill(value, from, from + hours);
  const { times, local, returned } = house;
  return {
    ...{ ...house, power, times: times.slice(0, count), local: local.slice(0, count) },
    ...(returned && { returned: returned.slice(0, count) }),
  };
}

/** A file with a hole from each midnight on. */
function eachDay(hours: number, value: number): [Damage] {
  const holes = Array.from({ length: 40 }, (_, day) => ({ from: 24 * day, hours, value }));
  return [{ days: 40, holes, every: 1 }];
}

describe("a reason for no value", () => {
  const seen = new Set<string>();
  const isPossible = ({ read, kept }: { readonly read: number; readonly kept: number }) => kept >= 0 && kept <= read;

  for (const [i, house] of HOUSES.entries())
    it(`holds in the file of a meter (${i + 1})`, () => {
      fc.assert(
        fc.property(DAMAGE, (damage) => {
          const own = damaged(house, damage);
          const found = baseLoadOf(own);
          if (found.kind === "measured") return;
          seen.add(found.reason);
          expect(isPossible(found), JSON.stringify(found)).to.equal(true);
          expect(OF_HOUSE[found.reason]?.(own, found.read, found.kept), JSON.stringify(found)).to.equal(true);
        }),
        {
          numRuns: 150,
          examples: [[{ days: 5, holes: [], every: 1 }], eachDay(10, Number.NaN), eachDay(4, 0), eachDay(4, 3)],
        },
      );
    });

  it("of a meter is each of the reasons, so that the law above is about all of them", () => {
    expect([...seen]).to.include.members(["fewDays", "daysWithGaps", "daysAtZero", "batteryAtNight"]);
  });

  it("holds in a list of sessions", () => {
    const sessions = fc.record({
      count: fc.integer({ min: 0, max: 60 }),
      without: fc.subarray(["from", "to", "drawn", "added", "hours"] as const),
      solar: fc.constantFrom(undefined, 90),
      end: fc.constantFrom(undefined, 100),
    });
    fc.assert(
      fc.property(sessions, ({ count, without, solar, end }) => {
        const all = SESSIONS.slice(0, count).map((one): Session => {
          const rest = { ...one, ...(solar && { solar }), ...(end && { to: end }) };
          return Object.fromEntries(Object.entries(rest).filter(([key]) => !without.includes(key as never))) as never;
        });
        const charges = all.filter(({ from, to }) => from !== undefined && to !== undefined);
        for (const [found, isTrue] of [
          [
            capacityOf(all),
            { noStateOfCharge: charges.length === 0, fewSessions: count < 5, unusableSessions: charges.length > 0 },
          ],
          [
            chargePowerOf(all),
            {
              fewSessions: count < 5,
              unusableSessions: count >= 5,
              plugTimes: all.filter(({ hours }) => hours !== undefined).length < Math.max(5, 0.3 * count),
              onlySurplus: solar === 90 || all.filter((one) => (one.solar ?? 0) >= 60).length > 0,
            },
          ],
        ] as const) {
          if (found.kind !== "notEnough") continue;
          expect(found.read).to.equal(count);
          expect(isPossible(found), JSON.stringify(found)).to.equal(true);
          const law = (isTrue as Record<string, boolean>)[found.reason] ?? found.reason === "variesTooMuch";
          expect(law, JSON.stringify(found)).to.equal(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("holds in the mornings of an inverter", () => {
    fc.assert(
      fc.property(DAMAGE, ({ days, every }) => {
        const step = every * MINUTES;
        const kept = Array.from(MORNINGS.from.keys()).filter((i) => i * MINUTES < days * 1440 && i % every === 0);
        const of = (all: Float64Array) => Float64Array.from(kept, (i) => all[i] as number);
        const found = cutInOf(stepsAt(of(MORNINGS.from), step * 60, of(MORNINGS.watts)));
        if (found.kind === "measured") return;
        const law =
          found.reason === "coarseSteps"
            ? found.read === step && step > found.kept
            : found.reason === "fewMornings" && found.kept < 10 && found.kept <= found.read;
        expect(law, JSON.stringify(found)).to.equal(true);
      }),
      { numRuns: 60 },
    );
  });

  it("holds in the production of a roof", () => {
    const { series, place } = simulatedRoof(3, { days: 40, step: 60, begin: "2025-04-15" });
    const steps = fc.integer({ min: 0, max: series.times.length });
    const hole = fc.record({
      from: steps,
      hours: fc.integer({ min: 1, max: 500 }),
      value: fc.constantFrom(0, 0.02, 0.5),
    });
    const reasons = new Set<string>();
    fc.assert(
      fc.property(
        fc.record({ count: steps, holes: fc.array(hole, { maxLength: 3 }), cloud: fc.constantFrom(1, 0.5) }),
        ({ count, holes, cloud }) => {
          const [times, power] = [series.times.slice(0, count), series.power.slice(0, count)];
          // Clouds of every second hour.
          for (let i = 0; i < count; i += 2) power[i] = (power[i] as number) * cloud;
          for (const { from, hours, value } of holes) power.fill(value, from, from + hours);
          const width = 3600;
          const from = times.map((at) => at - width / 2);
          const found = findingsOf(seriesOf({ from, to: from.map((at) => at + width), watts: power }, 60), place, {
            ...{ shift: 0, deviation: 2 },
          });
          if (found.kind !== "notEnough") return;
          const { reason, read, kept } = found;
          reasons.add(reason);
          const top = power.reduce((most, one) => Math.max(most, one), 0);
          const dayAt = (at: number) => Math.floor((at + place.longitude * 240) / DAY);
          const lit = Array.from(times.keys()).filter((i) => (power[i] as number) > 0.02 * top);
          const ofDays = new Map<number, number>();
          for (const i of lit) ofDays.set(dayAt(times[i] as number), (ofDays.get(dayAt(times[i] as number)) ?? 0) + 1);
          const atMidnight = lit.filter((i) => {
            const hour = (((times[i] as number) + place.longitude * 240) % DAY) / 3600;
            return (hour < 1 || hour > 23) && (power[i] as number) > 0.1 * top;
          });
          const laws: Readonly<Record<string, boolean>> = {
            noPower: power.filter((one) => one > 0).length < 100,
            powerAtNight: read - kept > 0.3 * read && atMidnight.length > 0,
            fewClearDays:
              kept < 14 &&
              read === new Set(Array.from(times, dayAt)).size &&
              kept <= [...ofDays.values()].filter((hours) => hours >= 3).length,
            roofVaries: kept >= 7,
            hourAboveRoof: kept >= 7 && holes.length > 0,
          };
          expect(isPossible(found) && laws[reason], JSON.stringify(found)).to.equal(true);
        },
      ),
      {
        numRuns: 60,
        examples: [
          [{ count: 150, holes: [], cloud: 1 }],
          [{ count: 960, holes: [{ from: 0, hours: 500, value: 0.5 }], cloud: 1 }],
          [{ count: 960, holes: [], cloud: 0.5 }],
          [{ count: 960, holes: [{ from: 0, hours: 950, value: 0 }], cloud: 1 }],
        ],
      },
    );
    expect([...reasons]).to.include.members(["noPower", "powerAtNight", "fewClearDays"]);
  }).timeout(300_000);
});
