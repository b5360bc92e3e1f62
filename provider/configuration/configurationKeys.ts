import type { Message } from "../messages/message";
import { IN_STACK, NAMESPACE, variableOf } from "../messages/names";
import { nearest } from "../settings/explain";

export { NAMESPACE, variableOf };

/** The keys of the provider's configuration. Apart from their schema, which a program need not load. */
export const CONFIGURATION_KEYS = [
  "baseUrl",
  "businessId",
  "accessToken",
  "tokenCommand",
  "oauthTokenUrl",
  "oauthClientId",
  "oauthClientSecret",
  "oauthScope",
  "inverterFields",
  "maxConcurrency",
  "requestTimeoutSeconds",
  "retryTimeoutSeconds",
  "verifyTimeoutSeconds",
  "livePreview",
  "allowGone",
  "ledgerFile",
] as const;
export type ConfigurationKey = (typeof CONFIGURATION_KEYS)[number];

/** Requests in flight where nothing is set. */
export const DEFAULT_MAX_CONCURRENCY = 16;

/** Most requests in flight that can be set (our choice). */
export const MOST_CONCURRENCY = 1000;

/** If this variable is set, the stack's configuration does not count, nor the copy of it that the engine keeps in state. */
export const ENVIRONMENT_ONLY = "SOLAR_CHARGING_ENVIRONMENT_ONLY";

/**
 * What is set, has no effect, and is called nearly as something that is not set. Other strangers are left alone: they can be
 * those of a project that is called as the provider is.
 * @param keys of the stack's configuration, with their namespaces
 */
export function misspelled(keys: readonly string[], environment: NodeJS.ProcessEnv): Message[] {
  const variables = Object.keys(environment).filter((name) => environment[name]);
  return [...among(keys, IN_STACK.of), ...among(variables, variableOf)];
}

function among(set: readonly string[], nameOf: (key: string) => string): Message[] {
  const prefix = nameOf("");
  const known = CONFIGURATION_KEYS.map(nameOf);
  const unset = known.filter((name) => !set.includes(name));
  const strangers = set.filter((name) => name.startsWith(prefix) && !known.includes(name));
  const bare = (full: string) => full.slice(prefix.length);
  return strangers.flatMap((name): Message[] => {
    const meant = nearest(bare(name), unset.map(bare));
    if (meant === undefined) return [];
    return [{ code: "misspelled", finding: `${name} has no effect; did you mean ${prefix}${meant}?` }];
  });
}
