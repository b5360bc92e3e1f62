import { expect } from "chai";
import { replay } from "./search";
import { searchAll, searchParts } from "./searchAll";

/** Walks only this path, and prints what happens. */
const { LAW_PATH } = process.env;

/** Paths that broke a law, and that are too long for the searches of every change. */
const ONCE_BROKEN = [
  ...["cars with ledger", "sites with fleet"].map(
    (kind) => `${kind}, x, drop1, up, round, add1, upKilled, up, destroy`,
  ),
  "stacks with ledger, x, swap, owner, round, upKilled, up, destroy",
  // A device moves to another part of a fleet and back, which has an old value in its state.
  "stacks with fleet, x y, swap, valx, up2, swap, valx, up",
  "stacks with fleet, x y, swap, up, swap, valx, up1, swap, valx, up",
];

describe("two devices, also of two resources, in all orders of four events: edits, runs, faults, kills", () => {
  if (LAW_PATH) {
    it(LAW_PATH, async () => {
      const { story, breaks } = await replay(LAW_PATH);
      console.log(story.join("\n"));
      expect(breaks).to.deep.equal([]);
    });
    return;
  }
  searchAll(["cars with ledger", "mixed with fleet"], 4);
  searchParts(4);

  for (const path of ONCE_BROKEN) {
    it(`breaks no law on the path: ${path}`, async () => {
      expect((await replay(path)).breaks).to.deep.equal([]);
    });
  }
});
