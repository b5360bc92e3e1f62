/** The namespace of the provider's configuration in a stack. */
export const NAMESPACE = "solar-charging";

const VARIABLE_PREFIX = "SOLAR_CHARGING_";

/** The environment's name of a configuration value. */
export function variableOf(key: string): string {
  return `${VARIABLE_PREFIX}${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** The names of configuration keys for a reader. */
export interface Names {
  /** The name to look at first. */
  of(key: string): string;
  /** All places where it can be set. */
  allOf(key: string): string;
}

/** For whoever has a stack, whose configuration can be set in two places. */
export const IN_STACK: Names = {
  of: (key) => `${NAMESPACE}:${key}`,
  allOf: (key) => `${NAMESPACE}:${key} or ${variableOf(key)}`,
};

/** For whoever has the environment only, as at the command line and in a fleet. */
export const IN_ENVIRONMENT: Names = { of: variableOf, allOf: variableOf };
