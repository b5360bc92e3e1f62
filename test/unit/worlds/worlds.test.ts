import { expect } from "chai";
import { replay } from "./search";
import { searchAll } from "./searchAll";

/** Walks only this path, and prints what happens. */
const { LAW_PATH } = process.env;

describe("two devices, also of two resources, in all orders of four events: edits, runs, faults, kills", () => {
  if (LAW_PATH) {
    it(LAW_PATH, async () => {
      const { story, breaks } = await replay(LAW_PATH);
      console.log(story.join("\n"));
      expect(breaks).to.deep.equal([]);
    });
    return;
  }
  searchAll(["cars with none", "cars with ledger", "mixed with fleet"], 4);
});
