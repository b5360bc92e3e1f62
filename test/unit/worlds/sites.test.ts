import { searchAll, searchPolicies } from "./searchAll";

// A file of its own, because files run side by side.
describe("two devices of sites in all orders of four events", () => {
  searchAll(["sites with fleet", "site with ledger"], 4);
  searchPolicies(["cars with none", "mixed with ledger"], 4);
});
