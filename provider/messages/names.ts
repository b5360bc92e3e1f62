/** The namespace of the provider's configuration in a stack. */
export const NAMESPACE = "solar-charging";

const VARIABLE_PREFIX = "SOLAR_CHARGING_";

/** The environment variable of a configuration value. */
export function variableOf(key: string): string {
  return `${VARIABLE_PREFIX}${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** The names of configuration keys and commands for a reader. */
export interface Names {
  /** The command before `up` and `refresh`. */
  readonly command: string;
  /** The first place to look at. */
  of(key: string): string;
  /** All places where the key can be set. */
  allOf(key: string): string;
}

/** For users of a stack, who can set configuration in two places. */
export const IN_STACK: Names = {
  command: "pulumi",
  of: (key) => `${NAMESPACE}:${key}`,
  allOf: (key) => `${NAMESPACE}:${key} or ${variableOf(key)}`,
};

/** For users of the command line and of fleets, who set configuration in the environment only. */
export const IN_ENVIRONMENT: Names = { command: "fleet", of: variableOf, allOf: variableOf };

/**
 * The parts of the engine's name of a resource, such as `urn:pulumi:<stack>::<project>::<type of the parent>$<type>::<name>`.
 * The type is without those of its parents, and the name, which is that in its program, can contain `::`. If the engine's
 * name is not known, type and name are empty.
 */
export function partsOf(urn = "") {
  const [, stack, project, types = "", name = ""] = /^urn:pulumi:(.*?)::(.*?)::(.*?)::(.*)$/s.exec(urn) ?? [];
  return { stack, project, type: types.replace(/^.*\$/, ""), name };
}
