const LISTS = { and: new Intl.ListFormat("en-GB"), or: new Intl.ListFormat("en-GB", { type: "disjunction" }) };

/** Names as a list: `a`, `a and b`, `a, b or c`. */
export function listed(names: readonly string[], word: "and" | "or" = "and"): string {
  return LISTS[word].format(names);
}
