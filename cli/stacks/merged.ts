import { inTurn, type Outcome } from "./outcome";
import type { StackResult } from "./stack";

/**
 * The outcome of each device, by `business/device`. If a stack ran twice, as with a canary, its last run counts. A
 * device in two stacks has moved from one to the other.
 */
export function mergedOutcomes(results: readonly StackResult[]): Map<string, Outcome> {
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
