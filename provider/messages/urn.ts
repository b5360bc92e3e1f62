/** The parts of the engine's name of a resource. */
interface UrnParts {
  readonly stack: string | undefined;
  readonly project: string | undefined;
  /** The type, without those of its parents. */
  readonly type: string;
  /** The name in its program. It can contain `::`. */
  readonly name: string;
}

/**
 * The parts of a name such as `urn:pulumi:<stack>::<project>::<type of the parent>$<type>::<name>`. If it is not known,
 * its texts are empty.
 */
export function partsOf(urn = ""): UrnParts {
  const [, stack, project, types = "", name = ""] = /^urn:pulumi:(.*?)::(.*?)::(.*?)::(.*)$/s.exec(urn) ?? [];
  return { stack, project, type: types.replace(/^.*\$/, ""), name };
}
