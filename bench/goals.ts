import { OPERATIONS, type Operation } from "./contestant";
import { markdownTable, median, type Result, ratiosTo, roundsOf, sizesOf, spread } from "./result";

/** What was aimed at, and what came of it. */
export interface Goal {
  readonly what: string;
  /** The measured values of all rounds; their median counts. */
  readonly values: readonly number[];
  readonly limit: number;
  /** Whether the limit itself is met. */
  readonly isReached: boolean;
  /** Digits after the point, and the unit after them. */
  readonly digits: number;
  readonly unit: string;
}

/** Sizes at which ours is compared with the floor, and the one with Terraform. */
const COMPARED_WITH_FLOOR = [100, 500];
const COMPARED_WITH_TERRAFORM = 500;

/** Most time of ours ÷ that of the floor. */
const OVER_FLOOR = 1.15;

/** The large fleet: seconds of its operations, and its time per vehicle ÷ that of a fleet in one stack. */
const LARGE = 5000;
const SECONDS_OF_LARGE: Partial<Record<Operation, number>> = { "first preview": 60, "first up": 120, preview: 60 };
const ONE_STACK = 500;
const OVER_ONE_STACK = 1.2;

/** The goals about which the results say something. */
export function goalsOf(results: readonly Result[]): Goal[] {
  const goals = [...overFloor(results), ...ofLarge(results), ...perVehicle(results), ...overTerraform(results)];
  return [...goals, ...memory(results)].filter(({ values }) => values.length > 0);
}

/** A table of the goals: measured, aimed at, met or not; a sentence where the results say nothing about them. */
export function goalsTable(results: readonly Result[]): string {
  const rows = goalsOf(results).map((goal) => {
    const { what, values, limit, isReached, digits, unit } = goal;
    const aim = `${isReached ? "≤" : "<"} ${Number(limit.toFixed(digits))}${unit}`;
    return [what, `${spread(values, digits)}${unit}`, aim, isMet(goal) ? "met" : "not met"];
  });
  if (rows.length === 0) return "The goals are about other sizes.";
  return markdownTable(["goal", "measured", "aim", ""], rows);
}

export function isMet({ values, limit, isReached }: Goal): boolean {
  return isReached ? median(values) <= limit : median(values) < limit;
}

/** Digits enough for what misses the limit by little to look so. */
const RATIO = { isReached: true, digits: 3, unit: "" };

function overFloor(results: readonly Result[]): Goal[] {
  const over = (contestant: string, vehicles: number, operation: Operation) => ({
    ...RATIO,
    what: `${operation} of ${vehicles}, ours ÷ ${contestant}`,
    values: ratiosTo(contestant, results, vehicles, operation),
    limit: OVER_FLOOR,
  });
  return COMPARED_WITH_FLOOR.flatMap((vehicles) => [
    ...OPERATIONS.map((operation) => over("floor", vehicles, operation)),
    over("waiting floor", vehicles, "refresh"),
  ]);
}

function ofLarge(results: readonly Result[]): Goal[] {
  return OPERATIONS.flatMap((operation) => {
    const limit = SECONDS_OF_LARGE[operation];
    const values = secondsOf(results, LARGE, operation);
    const what = `${operation} of ${LARGE}, in shards`;
    return limit === undefined ? [] : [{ what, values, limit, isReached: true, digits: 1, unit: " s" }];
  });
}

/** Rounds of different sizes have nothing to do with each other: medians are compared. */
function perVehicle(results: readonly Result[]): Goal[] {
  return OPERATIONS.map((operation) => {
    const [large, small] = [LARGE, ONE_STACK].map(
      (vehicles) => median(secondsOf(results, vehicles, operation)) / vehicles,
    ) as [number, number];
    return {
      ...RATIO,
      what: `${operation}, time per vehicle at ${LARGE} ÷ at ${ONE_STACK}`,
      values: [large / small].filter((value) => !Number.isNaN(value)),
      limit: OVER_ONE_STACK,
    };
  });
}

function overTerraform(results: readonly Result[]): Goal[] {
  const vehicles = COMPARED_WITH_TERRAFORM;
  return OPERATIONS.map((operation) => ({
    ...RATIO,
    isReached: false,
    what: `${operation} of ${vehicles}, ours ÷ terraform`,
    values: ratiosTo("terraform", results, vehicles, operation),
    limit: 1,
  }));
}

/** Peak memory per vehicle may not grow from one size to the next. */
function memory(results: readonly Result[]): Goal[] {
  const sizes = sizesOf(results).sort((a, b) => a - b);
  const kilobytes = sizes.map((vehicles) => (1000 * peakMegabytes(results, vehicles)) / vehicles);
  return sizes.slice(1).map((vehicles, index) => ({
    what: `peak memory per vehicle at ${vehicles}, beside that at ${sizes[index]}`,
    values: [kilobytes[index + 1] as number],
    limit: kilobytes[index] as number,
    isReached: true,
    digits: 0,
    unit: " KB",
  }));
}

/** The most that any operation of ours takes. */
function peakMegabytes(results: readonly Result[], vehicles: number): number {
  const peaks = OPERATIONS.map((operation) =>
    median(roundsOf(results, vehicles, operation, "ours").map((result) => result.peakMegabytes)),
  );
  return Math.max(...peaks.filter((peak) => !Number.isNaN(peak)));
}

function secondsOf(results: readonly Result[], vehicles: number, operation: Operation): number[] {
  return roundsOf(results, vehicles, operation, "ours").map(({ seconds }) => seconds);
}
