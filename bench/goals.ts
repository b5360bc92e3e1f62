import type { Operation } from "./contestant";
import { type Case, markdownTable, median, type Result, ratios, roundsOf, spread } from "./result";

/** A goal on 2 cores, and its measurements. */
export interface Goal {
  readonly what: string;
  /** The measured values of all rounds. Their median counts. */
  readonly values: readonly number[];
  readonly aim: "≤" | "=";
  readonly limit: number;
  /** Digits after the point, and the unit after them. */
  readonly digits: number;
  readonly unit: string;
}

/** Numbers of devices: in one stack, as with Terraform, and in several. */
const ONE_STACK = 1000;
const LARGE = 5000;

/** Most time of the fleet ÷ that of Terraform, in one stack. */
const OVER_TERRAFORM: Partial<Record<Operation, number>> = {
  "first preview": 1.5,
  "first up": 0.25,
  preview: 0.75,
  "preview, reading": 0.9,
  refresh: 0.8,
  "one change": 0.8,
  "one change, reading": 0.9,
};

/** Most time of a change ÷ that of a preview, with the dynamic resources. Both run the whole program. */
const CHANGE_OVER_PREVIEW = 1.5;

/** Most seconds of the large fleet. */
const SECONDS: Partial<Record<Operation, number>> = {
  "first up": 40,
  preview: 12,
  refresh: 15,
  "one change": 15,
  "one change, reading": 25,
};

/** Requests for each device. */
const REQUESTS: Partial<Record<Operation, number>> = { "first preview": 0, "first up": 3, preview: 0, refresh: 1 };

/** The goals that the results cover. */
export function goalsOf(results: readonly Result[]): Goal[] {
  const fleet = (devices: number, operation: Operation): Case => ({ devices, operation, contestant: "fleet" });
  const dynamic = (operation: Operation): Case => ({ devices: ONE_STACK, operation, contestant: "dynamic" });
  const goals: Goal[] = [
    ...entriesOf(OVER_TERRAFORM).map(([operation, limit]): Goal => {
      const own = fleet(ONE_STACK, operation);
      const values = ratios(results, own, { ...own, contestant: "terraform" });
      return { what: `${operation} of ${ONE_STACK}, fleet ÷ Terraform`, values, aim: "≤", limit, digits: 2, unit: "" };
    }),
    {
      what: `one change of ${ONE_STACK} ÷ preview, dynamic`,
      values: ratios(results, dynamic("one change"), dynamic("preview")),
      ...{ aim: "≤", limit: CHANGE_OVER_PREVIEW, digits: 2, unit: "" },
    },
    ...entriesOf(SECONDS).map(([operation, limit]): Goal => {
      const values = roundsOf(results, fleet(LARGE, operation)).map(({ seconds }) => seconds);
      return { what: `${operation} of ${LARGE}, fleet`, values, aim: "≤", limit, digits: 1, unit: " s" };
    }),
    ...entriesOf(REQUESTS).map(([operation, limit]): Goal => {
      const own = results.filter((one) => one.contestant === "fleet" && one.operation === operation);
      const values = own.map(({ calls, devices }) => (calls.GET + calls.PATCH) / devices);
      return { what: `${operation}, requests for each device, fleet`, values, aim: "=", limit, digits: 3, unit: "" };
    }),
  ];
  return goals.filter(({ values }) => values.length > 0);
}

/** A table of the goals: measured, aimed at, met or not. A sentence if the results cover none of them. */
export function goalsTable(results: readonly Result[]): string {
  const rows = goalsOf(results).map((goal) => {
    const { what, values, aim, limit, digits, unit } = goal;
    return [what, `${spread(values, digits)}${unit}`, `${aim} ${limit}${unit}`, isMet(goal) ? "met" : "not met"];
  });
  if (rows.length === 0) return "The goals are about other sizes.";
  return markdownTable(["goal", "measured", "aim", ""], rows);
}

/** The number of goals that are met, and those that are not: `15 of 17 goals are met. Not met: preview of 5000, fleet: 13.1 s (aim: ≤ 12 s).` */
export function goalsInWords(results: readonly Result[]): string {
  const goals = goalsOf(results);
  const missed = goals.filter((goal) => !isMet(goal));
  const words = missed.map(
    ({ what, values, aim, limit, digits, unit }) =>
      `${what}: ${spread(values, digits)}${unit} (aim: ${aim} ${limit}${unit})`,
  );
  const met = `${goals.length - missed.length} of ${goals.length} goals are met.`;
  return words.length === 0 ? met : `${met} Not met: ${words.join("; ")}.`;
}

export function isMet({ values, aim, limit }: Goal): boolean {
  const value = median(values);
  return aim === "=" ? values.every((one) => one === limit) : value <= limit;
}

function entriesOf<T>(limits: Partial<Record<Operation, T>>): [Operation, T][] {
  return Object.entries(limits) as [Operation, T][];
}
