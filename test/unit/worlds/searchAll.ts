import { expect } from "chai";
import { search } from "./search";

/** The kinds of worlds that the test for every change searches. test/long searches the others. */
export const EVERY_CHANGE: readonly string[] = [
  ...["cars with ledger", "mixed with fleet"],
  ...["sites with fleet", "site with ledger"],
];

/** The events of two stacks that declare a device one after the other, or both, and of two parts of a fleet. */
const OF_PARTS = [
  ...["swap", "drop1", "add1", "valx", "owner", "up", "up1", "up2"],
  ...["upRefresh", "upNoDelete", "upAnswerLost", "upKilled"],
];
const OF_STACKS = [...OF_PARTS, "both"];

/** The events of a policy that a site gives its cars, or that a car declares. */
const OF_POLICIES = [
  ...["policy", "solar", "swap", "drop1", "add1", "dev1", "retain"],
  ...["up", "upRefresh", "upNoDelete", "upAnswerLost", "upKilled"],
];

/** One test for each of these kinds of worlds. @param events default: all but those of stacks and policies */
export function searchAll(
  kinds: readonly string[],
  depth: number,
  events?: readonly string[],
  of = "values of settings",
): void {
  for (const kind of kinds) {
    it(`${kind}, ${depth} events of ${of}`, async () => {
      const { breaks } = await search(kind, depth, events);
      expect(breaks, "broken laws; LAW_PATH=… shows what happens on a path").to.deep.equal([]);
    });
  }
}

/** The same for two stacks, and for two parts of a fleet. */
export function searchParts(depth: number): void {
  searchAll(["stacks with none", "stacks with ledger"], depth, OF_STACKS, "two stacks");
  searchAll(["stacks with fleet"], depth, OF_PARTS, "two parts of a fleet");
}

/** The same for policies. */
export function searchPolicies(kinds: readonly string[], depth: number): void {
  searchAll(kinds, depth, OF_POLICIES, "policies");
}
