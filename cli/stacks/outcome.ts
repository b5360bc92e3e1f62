import type { DeviceOutcome, Result } from "../../provider/ledger/outcome";
import type { Message } from "../../provider/messages/message";
import type { SiteInRun } from "../view/outcome";

/** Settings of a device, by key. */
export type Settings = Readonly<Record<string, unknown>>;

/** The outcome of a device of a site, as its provider reports it. */
export interface Outcome extends DeviceOutcome {
  readonly site: string;
  /** Changes by somebody else since the last run, if this run read the device first. */
  readonly drifted?: { readonly before: Settings; readonly after?: Settings };
}

/** The outcome of one site. */
export type SiteOutcome = Omit<SiteInRun, "problem">;

/** A warning of a run, or a note. */
export interface Warning {
  /** Absent if it concerns the whole stack. */
  readonly site?: string;
  /** Absent if it concerns the whole site. */
  readonly device?: string;
  readonly problem: Message;
}

/** A device that the manifest declares. */
export type DeclaredDevice = Pick<Outcome, "device" | "site" | "label">;

/** By device, as `business/device`. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** The outcomes of the devices that are still declared. */
export function declaredIn(outcomes: Outcomes): Outcome[] {
  return [...outcomes.values()].filter(({ onDelete }) => onDelete === undefined);
}

/**
 * The outcome of each device, by `business/device`. If a stack ran twice, as with a canary, its last run counts. A
 * device in two stacks has moved from one to the other.
 */
export function mergedOutcomes(
  results: readonly { readonly stack: string; readonly outcomes: Outcomes }[],
): Map<string, Outcome> {
  const outcomes = new Map<string, Map<string, Outcome>>();
  for (const { stack, outcomes: some } of results) {
    for (const [device, outcome] of some) {
      const ofStacks = outcomes.get(device) ?? new Map<string, Outcome>();
      const before = ofStacks.get(stack);
      const keepsChange = outcome.result === "unchanged" && before !== undefined && before.result !== "failed";
      outcomes.set(device, ofStacks.set(stack, keepsChange ? before : outcome));
    }
  }
  return new Map(
    [...outcomes].map(([device, ofStacks]) => [device, [...ofStacks.values()].reduce((one, two) => inTurn(one, two))]),
  );
}

/** Merges the outcomes of a device in two steps: of two sites, or of one site twice. */
export function inTurn(one: Outcome | undefined, other: Outcome): Outcome {
  if (!one) return other;
  const [left, joined] = one.onDelete === undefined ? [other, one] : [one, other];
  if (left.onDelete !== undefined && joined.onDelete === undefined) {
    const isFailed = left.result === "failed" && joined.result !== "failed";
    const before = { ...left.before, ...joined.before };
    return { ...joined, before, ...(isFailed && { result: "failed", ...(left.problem && { problem: left.problem }) }) };
  }
  return rank(one) > rank(other) ? one : other;
}

/** The devices that stay as they are because nobody has approved a change of their site, each with the reason. */
export function notApproved(all: Iterable<Outcome>): Outcome[] {
  const outcomes = [...all];
  const reasons = new Map(
    outcomes.flatMap(({ site, problem }) => (problem?.code === "notReviewed" ? [[site, problem] as const] : [])),
  );
  return outcomes.flatMap((one) => {
    const problem = reasons.get(one.site);
    return problem && one.result === "held" ? [{ ...one, problem }] : [];
  });
}

const RANKS: readonly Result[] = ["unchanged", "adopted", "unmanaged", "changed", "held", "failed"];

function rank({ result }: Outcome): number {
  return RANKS.indexOf(result);
}
