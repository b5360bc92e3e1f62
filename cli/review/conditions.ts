import { InvalidArgumentError } from "commander";
import { percentageIn } from "../../provider/manifest/rollout";
import { firstNames } from "../../provider/settings/explain";
import { counted, numbered } from "../words";
import type { Approval } from "./approve";
import { losesReadiness, missingIn, readinessOf, removedWords } from "./change";
import { isChanged, type Review, type SiteReview } from "./review";
import { counting, energyChangeOf, hasSun } from "./verdict";

/** A condition on which a review fails. */
export interface Condition {
  readonly name: ConditionName;
  /** As given: `sun-loss=5%`. */
  readonly text: string;
  /** The least number that meets it: a share or a number of devices. 1 for the conditions without a number. */
  readonly least: number;
}

/** A condition that a review meets. */
interface MetCondition {
  readonly condition: string;
  /** The number that was compared: of sites, devices or warnings, or the largest share of sun that a site loses. */
  readonly found: number;
  /** The sites that meet it, the worst first. */
  readonly sites: readonly string[];
}

/** The decision on a review, according to the conditions that it was given. */
export interface Decision {
  /** All conditions, as given. */
  readonly conditions: readonly string[];
  readonly met: readonly MetCondition[];
  /** The person or label that has accepted the met conditions. */
  readonly acceptedBy?: string;
}

/** The results of a review besides its text. */
export interface Judgement {
  /** The decision, if it was given conditions. */
  readonly decision?: Decision;
  /** The approved set, if it has written one. */
  readonly approval?: Approval;
  /** The reason why it has written none, if it was asked for one. */
  readonly notApproved?: string;
}

/** A review with its decision. */
export interface JudgedReview extends Review, Judgement {}

/** A way to judge a review. */
interface Rule {
  /** The unit of its number. Absent: the condition has no number. */
  readonly takes?: "percent" | "number";
  readonly help: string;
  /** Whether a site meets it, or the amount by which it adds to it. Of shares, the largest counts; others are added. */
  readonly of: (site: SiteReview) => boolean | number;
  /** The findings in words. */
  readonly words: (found: number) => string;
}

const RULES = {
  "ready-lost": {
    help: "a site stops being ready",
    of: losesReadiness,
    words: counting("site", "no longer ready"),
  },
  "not-ready": {
    help: "a site is not ready after the change, even if it was not ready before",
    of: (site) => readinessOf(site).after === false || missingIn(site).length > 0,
    words: counting("site", "not ready"),
  },
  "new-warning": {
    help: "the change brings a warning",
    of: (site) => (isChanged(site) ? site.warnings.length : 0),
    words: (count) => counted(count, "new warning"),
  },
  removed: {
    help: "a site, or a device outside of any site, is removed",
    of: (site) => (site.isSite ? removedWords(site) !== undefined : site.after === undefined),
    words: (count) => `${numbered(count)} removed`,
  },
  "sun-loss": {
    takes: "percent",
    help: "a site loses at least this share of a year's solar energy, such as sun-loss=5%",
    of: (site) => (hasSun(site) ? Math.max(0, -(energyChangeOf(site)?.share ?? 0)) : 0),
    words: (share) => `up to −${Number((100 * share).toPrecision(2))} % sun`,
  },
  devices: {
    takes: "number",
    help: "at least this number of devices changes, such as devices=50",
    of: ({ devices }) => devices.length,
    words: (count) => `${counted(count, "device")} ${count === 1 ? "changes" : "change"}`,
  },
  drift: {
    help: "a device has drifted",
    of: ({ drift }) => drift.length,
    words: counting("device", "drifted"),
  },
} as const satisfies Record<string, Rule>;
type ConditionName = keyof typeof RULES;

const rule = (name: ConditionName): Rule => RULES[name];

/** All conditions in the form in which they are given, each with its meaning. */
export const CONDITIONS = (Object.keys(RULES) as ConditionName[]).map((name) => {
  const { takes, help } = rule(name);
  return { form: takes === undefined ? name : `${name}=<${takes}>`, help };
});

/**
 * The conditions of an option that can be repeated: names with commas between them.
 * @throws InvalidArgumentError that lists the conditions
 */
export function conditionsIn(text: string, earlier: readonly Condition[] = []): Condition[] {
  return [...earlier, ...text.split(",").map((part) => conditionIn(part.trim()))];
}

function conditionIn(text: string): Condition {
  const [name = "", ...given] = text.split("=");
  const refuse = (problem: string) =>
    new InvalidArgumentError(`${problem} Conditions: ${CONDITIONS.map(({ form }) => form).join(", ")}.`);
  if (!Object.hasOwn(RULES, name)) throw refuse(`'${text}' is not a condition.`);
  const { takes } = rule(name as ConditionName);
  const condition = { name: name as ConditionName, text };
  if (takes === undefined) {
    if (given.length > 0) throw refuse(`${name} takes no number.`);
    return { ...condition, least: 1 };
  }
  const number = given.join("=");
  const least = takes === "percent" ? percentageIn(number) : /^\d{1,9}$/.test(number) ? Number(number) : undefined;
  if (least === undefined || least === 0) {
    const amount = takes === "percent" ? "a percentage above 0%, such as 5%" : "a whole number of at least 1";
    throw refuse(`'${text}': ${name} needs ${amount}.`);
  }
  return { ...condition, least };
}

/**
 * The decision on a review. @param acceptedBy the person or label that accepts the met conditions; empty without one
 */
export function decisionOn({ sites }: Review, conditions: readonly Condition[], acceptedBy = ""): Decision {
  const met = conditions.flatMap(({ name, text, least }): MetCondition[] => {
    const { of, takes } = rule(name);
    const isShare = takes === "percent";
    const amounts = sites
      .map((site) => ({ site: site.name, amount: Number(of(site)) }))
      .filter(({ amount }) => amount >= (isShare ? least : 1))
      .sort((a, b) => b.amount - a.amount);
    const found = isShare ? (amounts[0]?.amount ?? 0) : amounts.reduce((sum, { amount }) => sum + amount, 0);
    return found < least ? [] : [{ condition: text, found, sites: amounts.map(({ site }) => site) }];
  });
  return {
    conditions: conditions.map(({ text }) => text),
    met,
    ...(met.length > 0 && acceptedBy !== "" && { acceptedBy }),
  };
}

/** Whether a decision is that the review fails. */
export function isFailed({ met, acceptedBy }: Decision): boolean {
  return met.length > 0 && acceptedBy === undefined;
}

/** Maximum number of sites that a condition names. */
const MOST_NAMED = 3;

/**
 * The decision in words: `❌ Failed: ready-lost (1 site no longer ready: berlin)`; undefined if no condition is met.
 * @param nameOf formats the name of a site
 * @param proseOf formats other texts from elsewhere
 */
export function decisionWords(
  { met, acceptedBy }: Decision,
  nameOf: (name: string) => string,
  proseOf: (text: string) => string,
): string | undefined {
  if (met.length === 0) return undefined;
  const reasons = met.map(({ condition, found, sites }) => {
    const name = condition.split("=")[0] as ConditionName;
    return `${condition} (${rule(name).words(found)}: ${firstNames(sites.map(nameOf), MOST_NAMED)})`;
  });
  const verdict = acceptedBy === undefined ? "❌ Failed" : `⚠️ Accepted by ${proseOf(acceptedBy)}`;
  return `${verdict}: ${reasons.join(" · ")}`;
}
