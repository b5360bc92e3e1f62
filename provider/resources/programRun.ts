import * as pulumi from "@pulumi/pulumi";
import { type ConfigurationKey, misspelled } from "../configuration/configurationKeys";
import { textOf } from "../messages/message";
import { NAMESPACE, variableOf } from "../messages/names";

/**
 * Returns a function that creates a value once for each run of a program: several programs can share a process, each
 * with its own configuration.
 */
export function oncePerProgram<T>(make: () => T): () => T {
  const made = new WeakMap<pulumi.Resource, T>();
  return () => {
    const program = pulumi.runtime.getStackResource();
    if (!program) return make();
    if (!made.has(program)) made.set(program, make());
    return made.get(program) as T;
  };
}

/** A value of the stack's configuration, otherwise of the environment; undefined if it is not set. */
export function configured(key: ConfigurationKey): string | undefined {
  return new pulumi.Config(NAMESPACE).get(key) || process.env[variableOf(key)] || undefined;
}

/** Warns of misspelled configuration keys and variables, once for each program. */
export const warnOfMisspelled = oncePerProgram(() => {
  for (const message of misspelled(Object.keys(pulumi.runtime.allConfig()), process.env, pulumi.getProject())) {
    void pulumi.log.warn(textOf(message));
  }
});

/** The run of the program itself. It calls the service from another process than the provider. Loaded on demand. */
export const programRun = oncePerProgram(async () => {
  const config = new pulumi.Config(NAMESPACE);
  const { startRun } = await import("../run.js");
  return startRun((key) => config.get(key), process.env, {
    warn: (message) => pulumi.log.warn(message),
    info: (message) => pulumi.log.info(message),
  });
});
