import { didYouMean } from "../settings/explain";

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

export const NAMESPACE = "solar-charging";
const VARIABLE_PREFIX = "SOLAR_CHARGING_";

/** If this variable is set, the stack's configuration does not count, nor the copy of it that the engine keeps in state. */
export const ENVIRONMENT_ONLY = "SOLAR_CHARGING_ENVIRONMENT_ONLY";

/** The environment's name of a configuration value. */
export function variableOf(key: string): string {
  return `${VARIABLE_PREFIX}${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/**
 * What is set, has no effect, and is called nearly as something that is not set. Other strangers are left alone: they can be
 * those of a project that is called as the provider is.
 * @param keys of the stack's configuration, with their namespaces
 */
export function misspelled(keys: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  const variables = Object.keys(environment).filter((name) => environment[name]);
  return [
    ...among(keys, `${NAMESPACE}:`, (key) => `${NAMESPACE}:${key}`),
    ...among(variables, VARIABLE_PREFIX, variableOf),
  ];
}

function among(set: readonly string[], prefix: string, nameOf: (key: string) => string): string[] {
  const known = CONFIGURATION_KEYS.map(nameOf);
  const unset = known.filter((name) => !set.includes(name));
  const strangers = set.filter((name) => name.startsWith(prefix) && !known.includes(name));
  return strangers.flatMap((name) => {
    const bare = (full: string) => full.slice(prefix.length);
    const hint = unset.length > 0 ? didYouMean(bare(name), unset.map(bare)) : "";
    return hint ? [`${name} has no effect${hint.replace("mean ", `mean ${prefix}`)}`] : [];
  });
}
