/** The engine's names of resources: `urn:pulumi:<stack>::<project>::<type of the parent>$<type>::<name>`. */

/** The name of a resource in its program; empty if there is none. It can contain `::`. */
export function nameIn(urn = ""): string {
  return urn.split("::").slice(3).join("::");
}

/** The type of a resource, without those of its parents; empty if there is none. */
export function typeIn(urn: string): string {
  return urn.split("::").at(2)?.split("$").at(-1) ?? "";
}
