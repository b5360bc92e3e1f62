import { expect } from "chai";
import { type Kind, replay, search } from "./search";

/** Walks only this path, and prints what happens. */
const { LAW_PATH } = process.env;

/** All other kinds of worlds are searched in test/long. */
const KINDS: readonly Kind[] = [
  { form: "cars", log: "none" },
  { form: "cars", log: "ledger" },
  { form: "sites", log: "fleet" },
  { form: "site", log: "ledger" },
  { form: "mixed", log: "fleet" },
];

describe("two devices in all orders of three events: edits, runs, faults, kills", () => {
  if (LAW_PATH) {
    it(LAW_PATH, async () => {
      const { story, breaks } = await replay(LAW_PATH);
      console.log(story.join("\n"));
      expect(breaks).to.deep.equal([]);
    });
    return;
  }
  for (const { form, log } of KINDS) {
    it(`${form} with ${log}`, async () => {
      const { breaks } = await search({ form, log }, 3);
      expect(breaks, "broken laws; LAW_PATH=… shows what happens on a path").to.deep.equal([]);
    });
  }
});
