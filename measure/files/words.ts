/** Names as a list: `a`, `a and b`, `a, b or c`. */
export function listed(names: readonly string[], word: "and" | "or" = "and"): string {
  return new Intl.ListFormat("en-GB", { type: word === "or" ? "disjunction" : "conjunction" }).format(names);
}
