import { expect } from "chai";
import { EVENTS, search } from "../unit/worlds/search";
import { FORMS, LOGS } from "../unit/worlds/world";

/** The events that change most. With all events, orders of five would take an hour. */
const CORE = [
  ...["swap", "dev1", "drop1", "add1", "valx", "keep", "owner"],
  ...["up", "upRefresh", "upNoDelete", "upAnswerLost", "upKilled"],
];

/**
 * What five events can still break, by the shortest path. A run that failed before its deletes leaves two resources with
 * one device: the first does not learn that the second has written to it. And a resource does not learn without a
 * refresh in its run that another one keeps somebody's value.
 */
const KNOWN = [
  ["exit 0, and a declared value is not on the device", "x, swap, valx, upNoDelete, swap, valx, up"],
  ["overwrites a kept value", "x, keep, owner, up, upRefresh, swap, up"],
] as const;

describe("two devices in all orders of four events, and of five of the most important ones", () => {
  for (const form of FORMS) {
    for (const log of LOGS) {
      it(`${form} with ${log}, four events`, async () => {
        expect((await search({ form, log }, 4, EVENTS)).breaks).to.deep.equal([]);
      });
    }
  }

  for (const [form, log] of [
    ["cars", "ledger"],
    ["sites", "fleet"],
  ] as const) {
    it(`${form} with ${log}, five events`, async () => {
      const known = KNOWN.map(([law, path]) => `${law}: ${form} with ${log}, ${path}`);
      expect((await search({ form, log }, 5, CORE)).breaks, "known breaks").to.have.members(known);
    });
  }
});
