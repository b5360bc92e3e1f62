import { sum } from "../sky/numbers";
import { meansOf, type Stretches, stepsAt } from "../sky/series";
import { FLOWS, type Layout, type Meaning, PARTS } from "./layouts";
import type { Powers } from "./powers";
import { HOW_TO_CHOOSE, namesIn, type SheetSeries } from "./sheet";

/**
 * The meaning of the name of a series; undefined if it is not clear.
 * @param isOfDevice whether one device is meant, so that its name says nothing
 */
export function meaningOf(
  { name }: Pick<SheetSeries, "name">,
  layout: Layout | undefined,
  { isOfDevice = false } = {},
): Meaning | undefined {
  const known = [...(layout?.flows ?? []), ...FLOWS];
  return known.find(([meaning, words]) => !(isOfDevice && meaning === "device") && words.test(name))?.[0];
}

/** Whether names differ only in words that tell parts apart: phases, tariffs, mains, strings. */
export function areParts(all: readonly SheetSeries[]): boolean {
  const rest = all.map(({ name }) => PARTS.reduce((text, words) => text.replace(words, "#"), name));
  return rest.every((one) => one.includes("#") && one === rest[0]);
}

/** Whether a name is that of a part, such as the second string. */
export function isPart({ name }: SheetSeries): boolean {
  return PARTS.some((words) => name.replace(words, "#") !== name);
}

/** Relative difference up to which two energies count as the same. */
const SAME = 0.02;

/**
 * The series that add up to one flow: without the parts of a total that is there too, and each series only once.
 * @throws Error if it is not clear whether they are parts of one flow
 */
export function addedOf(
  given: readonly Powers[],
  what: string,
  { mayAdd }: { readonly mayAdd: boolean },
): readonly Powers[] {
  // Some systems show, beside a power, the energy of the day and of all days: these are the same flow again.
  const of = (kind: string) => given.filter(({ took }) => took.quantity.kind === kind);
  const powers = of("power");
  const all = powers.length > 0 && powers.length + of("counter").length === given.length ? powers : given;
  const energy = all.map(({ stretches: { from, to, watts } }) =>
    watts.reduce((sum, one, i) => sum + one * ((to[i] as number) - (from[i] as number)), 0),
  );
  const total = all.find(({ series }, i) => {
    if (isPart(series)) return false;
    const others = all.filter((_, at) => at !== i);
    const rest = energy.reduce((sum, one, at) => (at === i ? sum : sum + one), 0);
    const areOfIt = others.length === 1 || areParts(others.map(({ series }) => series));
    return others.length > 0 && areOfIt && Math.abs((energy[i] as number) - rest) < SAME * Math.abs(rest);
  });
  if (total) return [total];
  const series = all.map((one) => one.series);
  if (all.length > 1 && !mayAdd && !areParts(series))
    throw new Error(`several of them may be ${what}: ${namesIn(series)}. ${HOW_TO_CHOOSE}`);
  return all;
}

/**
 * The sum of a flow in steps of equal length. A phase that is missing makes the step unknown; a tariff that is missing
 * has no energy.
 */
export function flowOf(all: readonly Powers[], width: number, phase?: number, layout?: Layout): Stretches {
  const isWhole = layout?.part !== undefined || all.every(({ took }) => took.quantity.kind === "power");
  const means = all.map(({ stretches }) => byStart(meansOf(stretches, width, phase)));
  const starts = Float64Array.from(new Set(means.flatMap((one) => [...one.keys()])))
    .filter((at) => !isWhole || means.every((one) => one.has(at)))
    .sort();
  const watts = starts.map((at) => sum(means.map((one) => one.get(at) ?? 0)));
  return stepsAt(starts, width, watts);
}

/**
 * Share of negative energy from which the sign of a flow counts as reversed. A flow in one direction cannot be
 * negative.
 */
const NEGATIVE = 0.9;

/** A flow in one direction as positive numbers, whatever its sign in the file is. */
export function positive(flow: Stretches): { readonly flow: Stretches; readonly isTurned: boolean } {
  const energyOf = (sign: number) => sum(flow.watts.map((one) => Math.max(0, sign * one)));
  const [above, below] = [energyOf(1), energyOf(-1)];
  const isTurned = below > NEGATIVE * (above + below);
  return { flow: isTurned ? { ...flow, watts: flow.watts.map((one) => -one) } : flow, isTurned };
}

/** The powers of a flow by the start of their steps. */
export function byStart({ from, watts }: Stretches): ReadonlyMap<number, number> {
  return new Map(Array.from(from, (at, i) => [at, watts[i] as number]));
}

/** Powers below this are nothing, in W. */
const NOTHING = 20;

/** Whether two flows are hardly ever there at the same time: true of import and return, not of load and production. */
export function areApart(one: Stretches, other: Stretches): boolean {
  const own = byStart(one);
  const common = other.from.filter((at, i) => (other.watts[i] as number) > NOTHING && own.has(at));
  const together = common.filter((at) => (own.get(at) as number) > NOTHING);
  return common.length > 0.02 * other.from.length && together.length < 0.6 * common.length;
}

/** Whether a flow exists only by day: less than a thousandth of its energy comes at night. */
export function isOnlyByDay({ from, watts }: Stretches, localOf: (at: number) => number): boolean {
  const energy = watts.map(Math.abs);
  const night = energy.filter((_, i) => {
    const hour = (localOf(from[i] as number) / 3600) % 24;
    return hour < 3 || hour >= 23;
  });
  const all = sum(energy);
  return all > 0 && sum(night) < 0.001 * all;
}

/**
 * Whether a load is often 0 by day, and rarely at night. No house does that: the flow is the import of a house with
 * solar.
 */
export function touchesNothing({ from, watts }: Stretches, localOf: (at: number) => number): boolean {
  const counts = { day: 0, night: 0, zeroByDay: 0, zeroByNight: 0 };
  for (const [i, at] of from.entries()) {
    const hour = (localOf(at) / 3600) % 24;
    const isDay = hour >= 8 && hour < 19;
    counts[isDay ? "day" : "night"]++;
    if ((watts[i] as number) < 1) counts[isDay ? "zeroByDay" : "zeroByNight"]++;
  }
  const share = counts.zeroByDay / counts.day;
  return share > 0.02 && share > 4 * (counts.zeroByNight / counts.night);
}

/** A house with a meter, an inverter and a battery always uses more than this, in W. */
const LEAST_LOAD = 5;

/**
 * Largest shares of steps in which the calculated load may be negative: the clocks of two devices differ by seconds.
 */
const [MOST_WRONG, CLEARLY] = [0.02, 0.03];

/**
 * The signs of a grid and of a battery, each 1 or -1: those with which the load of the house is never negative.
 * @throws Error if the file does not show them
 */
export function directionsOf(
  loadWith: (grid: number, battery: number) => Iterable<number>,
  grids: readonly number[],
  batteries: readonly number[],
): { readonly grid: number; readonly battery: number } {
  const all = grids.flatMap((grid) =>
    batteries.map((battery) => {
      const loads = [...loadWith(grid, battery)];
      return { grid, battery, wrong: loads.filter((one) => one < LEAST_LOAD).length / loads.length };
    }),
  );
  const [best, next] = all.sort((a, b) => a.wrong - b.wrong) as [
    (typeof all)[number],
    (typeof all)[number] | undefined,
  ];
  if (next && (best.wrong > MOST_WRONG || next.wrong < best.wrong + CLEARLY))
    throw new Error(
      "the file has grid or battery powers of both signs, and does not show which sign is a charge, or an import: give --column with the load of the house",
    );
  return best;
}
