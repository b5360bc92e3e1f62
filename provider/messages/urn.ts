/**
 * The parts of the engine's name of a resource, such as `urn:pulumi:<stack>::<project>::<type of the parent>$<type>::<name>`.
 * The type is without those of its parents, and the name, which is that in its program, can contain `::`. If the engine's
 * name is not known, type and name are empty.
 */
export function partsOf(urn = "") {
  const [, stack, project, types = "", name = ""] = /^urn:pulumi:(.*?)::(.*?)::(.*?)::(.*)$/s.exec(urn) ?? [];
  return { stack, project, type: types.replace(/^.*\$/, ""), name };
}
