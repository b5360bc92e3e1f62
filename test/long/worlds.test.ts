import { EVERY_CHANGE, searchAll, searchParts, searchPolicies } from "../unit/worlds/searchAll";
import { FORMS, LOGS } from "../unit/worlds/world";

/** The events that change most. With all events, orders of five would take an hour; with these, six minutes. */
const CORE = [
  ...["swap", "dev1", "drop1", "add1", "valx", "keep", "owner"],
  ...["up", "upRefresh", "upNoDelete", "upAnswerLost", "upKilled"],
];

describe("two devices in all orders of four events, and of five of the most important ones", () => {
  const kinds = FORMS.filter((form) => form !== "stacks").flatMap((form) => LOGS.map((log) => `${form} with ${log}`));
  searchAll(
    kinds.filter((kind) => !EVERY_CHANGE.includes(kind)),
    4,
  );
  searchAll(kinds, 5, CORE, "the most important kinds");
  searchParts(5);
  searchPolicies(["sites with none", "site with ledger"], 5);
});
