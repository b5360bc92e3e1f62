import { OPERATIONS, type Operation } from "./contestant";
import { type Case, markdownTable, median, type Result, ratios, roundsOf, spread } from "./result";

/** What was aimed at with solar sites on 2 cores, and what came of it. */
export interface Goal {
  readonly what: string;
  /** The measured values of all rounds; their median counts. */
  readonly values: readonly number[];
  readonly aim: "<" | "≤" | "=";
  readonly limit: number;
  /** Digits after the point, and the unit after them. */
  readonly digits: number;
  readonly unit: string;
}

/** Devices in one stack, where ours is compared with Terraform, and in the large fleet. */
const ONE_STACK = 500;
const LARGE = 5000;

/** The operation whose limit beside Terraform is another one: most time of ours ÷ that of Terraform. */
const OVER_TERRAFORM: Partial<Record<Operation, number>> = { "first preview": 2 };

/** Operations in which Terraform reads and ours does not, if neither is given an option. */
const READS_IN_TERRAFORM: Partial<Record<Operation, Operation>> = {
  preview: "preview, reading",
  "one change": "one change, reading",
};

/** Seconds of the large fleet. */
const SECONDS: Partial<Record<Operation, number>> = {
  "first up": 40,
  preview: 12,
  refresh: 15,
  "one change": 15,
  "one change, reading": 25,
};

/** Time per device of the large fleet ÷ that in one stack. */
const OVER_ONE_STACK = 0.6;

/** Requests for each device. */
const REQUESTS: Partial<Record<Operation, number>> = { "first preview": 0, "first up": 3, preview: 0, refresh: 1 };

/** The goals about which the results say something. */
export function goalsOf(results: readonly Result[]): Goal[] {
  const goals = [...overTerraform(results), ...ofLarge(results), ...perDevice(results), ...requests(results)];
  return goals.filter(({ values }) => values.length > 0);
}

/** A table of the goals: measured, aimed at, met or not; a sentence if the results say nothing about them. */
export function goalsTable(results: readonly Result[]): string {
  const rows = goalsOf(results).map((goal) => {
    const { what, values, aim, limit, digits, unit } = goal;
    return [what, `${spread(values, digits)}${unit}`, `${aim} ${limit}${unit}`, isMet(goal) ? "met" : "not met"];
  });
  if (rows.length === 0) return "The goals are about other sizes.";
  return markdownTable(["goal", "measured", "aim", ""], rows);
}

export function isMet({ values, aim, limit }: Goal): boolean {
  const value = median(values);
  if (aim === "=") return values.every((one) => one === limit);
  return aim === "<" ? value < limit : value <= limit;
}

function site(devices: number, operation: Operation, contestant = "ours"): Case {
  return { job: "sites", devices, operation, contestant };
}

/** Like with like, and what each does if it is given no option. */
function overTerraform(results: readonly Result[]): Goal[] {
  const goal = (what: string, operation: Operation, theirs: Operation): Goal => {
    const limit = OVER_TERRAFORM[operation];
    return {
      what,
      values: ratios(results, site(ONE_STACK, operation), site(ONE_STACK, theirs, "terraform")),
      aim: limit === undefined ? "<" : "≤",
      limit: limit ?? 1,
      digits: 2,
      unit: "",
    };
  };
  return OPERATIONS.flatMap((operation) => {
    const theirs = READS_IN_TERRAFORM[operation];
    const what = `${operation} of ${ONE_STACK}, ours ÷ terraform`;
    const like = goal(what, operation, operation);
    return theirs ? [like, goal(`${what}, which reads`, operation, theirs)] : [like];
  });
}

function ofLarge(results: readonly Result[]): Goal[] {
  return entriesOf(SECONDS).map(([operation, limit]) => ({
    what: `${operation} of ${LARGE}`,
    values: roundsOf(results, site(LARGE, operation)).map(({ seconds }) => seconds),
    aim: "≤",
    limit,
    digits: 1,
    unit: " s",
  }));
}

/** Rounds of different sizes have nothing to do with each other: medians are compared. */
function perDevice(results: readonly Result[]): Goal[] {
  return OPERATIONS.map((operation) => {
    const of = (devices: number) =>
      median(roundsOf(results, site(devices, operation)).map(({ seconds }) => seconds)) / devices;
    return {
      what: `${operation}, time per device at ${LARGE} ÷ at ${ONE_STACK}`,
      values: [of(LARGE) / of(ONE_STACK)].filter((value) => !Number.isNaN(value)),
      aim: "≤",
      limit: OVER_ONE_STACK,
      digits: 2,
      unit: "",
    };
  });
}

function requests(results: readonly Result[]): Goal[] {
  return entriesOf(REQUESTS).map(([operation, limit]) => {
    const ours = results.filter((one) => one.job === "sites" && one.contestant === "ours");
    return {
      what: `${operation}, requests for each device, at all sizes`,
      values: ours
        .filter((one) => one.operation === operation)
        .map(({ calls, devices }) => (calls.GET + calls.PATCH) / devices),
      aim: "=",
      limit,
      digits: 3,
      unit: "",
    };
  });
}

function entriesOf(limits: Partial<Record<Operation, number>>): [Operation, number][] {
  return Object.entries(limits) as [Operation, number][];
}
