import { expect } from "chai";
import { search } from "./search";

/** The kinds of worlds that the test for every change searches. test/long searches the others. */
export const EVERY_CHANGE: readonly string[] = [
  ...["cars with none", "cars with ledger", "mixed with fleet"],
  ...["sites with fleet", "site with ledger"],
];

/** One test for each of these kinds of worlds. @param events default: all */
export function searchAll(kinds: readonly string[], depth: number, events?: readonly string[]): void {
  for (const kind of kinds) {
    it(`${kind}, ${depth} events`, async () => {
      const { breaks } = await search(kind, depth, events);
      expect(breaks, "broken laws; LAW_PATH=… shows what happens on a path").to.deep.equal([]);
    });
  }
}
