import type { Message } from "../messages/message";
import { IN_STACK, variableOf } from "../messages/names";
import { nearest } from "../settings/explain";

/** The keys of the provider's configuration. The docstrings of `ProviderArgs` describe them. */
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
  "maxRequestsPerMinute",
  "requestTimeoutSeconds",
  "retryTimeoutSeconds",
  "verifyTimeoutSeconds",
  "livePreview",
  "allowGone",
  "ledgerFile",
  "approved",
] as const;

/** The configuration keys with numbers: their ranges, ends included, and their defaults (our choice). */
export const NUMBERS = {
  maxConcurrency: { unit: "requests", range: [1, 1000], default: 16 },
  maxRequestsPerMinute: { unit: "requests", range: [0.1, 1_000_000] },
  requestTimeoutSeconds: { unit: "seconds", range: [0.1, 3600], default: 30 },
  retryTimeoutSeconds: { unit: "seconds", range: [0, 3600], default: 120 },
  verifyTimeoutSeconds: { unit: "seconds", range: [0, 3600], default: 10 },
} as const;

export type ConfigurationKey = (typeof CONFIGURATION_KEYS)[number];

/** The keys whose values are secrets. */
export const SECRET_KEYS: readonly ConfigurationKey[] = ["accessToken", "oauthClientSecret"];

/**
 * If this variable is set, the provider ignores the stack's configuration, also the copy of it that the engine keeps in
 * state.
 */
export const ENVIRONMENT_ONLY = "SOLAR_CHARGING_ENVIRONMENT_ONLY";

/**
 * Misspelled keys and variables: they are set, but unknown, and resemble a known name that is not set. Other unknown
 * names are ignored, because they can belong to a project with the name `solar-charging`.
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
    const word = bare(name).toLowerCase();
    // `LEDGER` is a part of `LEDGER_FILE`.
    const isPart = (key: string) => word.length > 2 && key.toLowerCase().includes(word);
    const meant = nearest(bare(name), unset.map(bare)) ?? known.map(bare).find(isPart);
    if (meant === undefined || !unset.includes(prefix + meant)) return [];
    return [{ code: "misspelled", finding: `${name} has no effect; did you mean ${prefix}${meant}?` }];
  });
}
