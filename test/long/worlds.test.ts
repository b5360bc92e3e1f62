import { expect } from "chai";
import { KNOWN } from "../unit/worlds/known";
import { EVENTS, search } from "../unit/worlds/search";
import { FORMS, LOGS } from "../unit/worlds/world";

/** The events that change most: with all of them, five events would take an hour. */
const RARE = ["retain", "ignore", "provider", "ledger", "upReverse", "upSequential", "upRefused", "upLost"];

describe("two devices in all orders of four events, and of five of the most important ones", () => {
  for (const form of FORMS) {
    for (const log of LOGS) {
      for (const [depth, events] of [
        [4, EVENTS],
        [5, EVENTS.filter((event) => !RARE.includes(event))],
      ] as const) {
        it(`${form} with ${log}, ${depth} events`, async () => {
          const { breaks } = await search({ form, log }, depth, events);
          const known = KNOWN.filter((path) => path.includes(`: ${form} with ${log}, `));
          expect(breaks, "broken laws; LAW_PATH=… of the unit test shows what happens on a path").to.have.members(
            known,
          );
        });
      }
    }
  }
});
