import type { Outcome } from "./outcomes";
import type { StackResult } from "./stack";

/**
 * What became of each device in all, by `business/device`. Of several runs of one stack the last counts, as the canary's
 * devices are dealt with twice; a device that two stacks were about has moved from one to the other.
 */
export function mergedOutcomes(results: readonly StackResult[]): Map<string, Outcome> {
  const outcomes = new Map<string, Map<string, Outcome>>();
  for (const { stack, outcomes: some } of results) {
    for (const [device, outcome] of some) {
      const ofStacks = outcomes.get(device) ?? new Map<string, Outcome>();
      const before = ofStacks.get(stack);
      const keepsChange = outcome.result === "unchanged" && before?.result === "changed";
      outcomes.set(device, ofStacks.set(stack, keepsChange ? before : outcome));
    }
  }
  return new Map([...outcomes].map(([device, ofStacks]) => [device, [...ofStacks.values()].reduce(ofTwo)]));
}

/** What became of a device that two stacks were about: that of one, unless the other one only let go of it. */
function ofTwo(one: Outcome, other: Outcome): Outcome {
  const failed = [one, other].find(({ result }) => result === "failed");
  if (failed) return failed;
  const [left, taken] = one.letGo === undefined ? [other, one] : [one, other];
  if (left.letGo === undefined || taken.letGo !== undefined) return one.result === "changed" ? one : other;
  // Set before, by an earlier run: what the stack that it left does now is not known to be nothing.
  if (taken.result === "unchanged") return { ...taken, result: "changed", isMoved: true };
  const keys = [...new Set([...left.changes, ...taken.changes].map(({ key }) => key))];
  const valueIn = ({ changes }: Outcome, key: string) => changes.find((change) => change.key === key);
  const changes = keys
    .map((key) => ({ key, from: valueIn(left, key)?.from, to: valueIn(taken, key)?.to }))
    .filter(({ from, to }) => from !== to);
  return { ...taken, changes, isMoved: true };
}
