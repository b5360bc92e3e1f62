import type { Audience, Message } from "../../provider/messages/message";
import { defined } from "../../provider/settings/objects";
import { AT_COMMAND_LINE } from "../audience";
import type { Outcome, Result, SiteInRun } from "../view/outcome";

/** The outcome of one site. Its devices have their own. */
export type SiteOutcome = Omit<SiteInRun, "devices">;

/** A warning of a run, or a note. */
export interface Warning {
  /** Absent if it concerns the whole stack. */
  readonly site?: string;
  /** Absent if it concerns the whole site. */
  readonly device?: string;
  readonly problem: Message;
}

/** The audience of lines that begin with the name of the device. */
export const BESIDE_DEVICE: Audience = { ...AT_COMMAND_LINE, isBesideDevice: true };

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
    const { before = joined.before, problem } = left;
    // The views of a settled site may be left out.
    const { after = joined.result === "unchanged" ? before : undefined } = joined;
    const own = { ...joined, ...defined({ before, after }), from: left.site };
    return { ...own, ...(isFailed && { result: "failed", ...defined({ problem }) }) };
  }
  return rank(one) > rank(other) ? one : other;
}

/** Whether a device stays as it is because nobody has approved a change of its site. */
export function isLeft({ result, problem }: Outcome): boolean {
  return result === "held" && problem?.code === "notReviewed";
}

const RANKS: readonly Result[] = ["unchanged", "adopted", "unmanaged", "changed", "held", "failed"];

function rank({ result }: Outcome): number {
  return RANKS.indexOf(result);
}
