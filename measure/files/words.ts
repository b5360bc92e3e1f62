/** Names as a list: `a`, `a and b`, `a, b or c`. */
export function listed(names: readonly string[], word: "and" | "or" = "and"): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${last}` : last;
}
