import type { Message } from "../messages/message";
import { IN_STACK, NAMESPACE, variableOf } from "../messages/names";
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
 * Keys and variables that have no effect: unknown keys of the stack, and unknown variables that resemble a known one
 * that is not set. Other variables are somebody's own, and so are the keys of a project with the name `solar-charging`.
 * @param keys of the stack's configuration, with their namespaces
 */
export function misspelled(keys: readonly string[], environment: NodeJS.ProcessEnv, project?: string): Message[] {
  const variables = Object.keys(environment).filter((name) => environment[name]);
  return [...among(keys, IN_STACK.of, { isOurs: project !== NAMESPACE }), ...among(variables, variableOf)];
}

/** @param options `isOurs`: whether nobody else has names with this prefix */
function among(set: readonly string[], nameOf: (key: string) => string, { isOurs } = { isOurs: false }): Message[] {
  const prefix = nameOf("");
  const known = CONFIGURATION_KEYS.map(nameOf);
  const unset = known.filter((name) => isOurs || !set.includes(name));
  const strangers = set.filter((name) => name.startsWith(prefix) && !known.includes(name));
  const bare = (full: string) => full.slice(prefix.length);
  return strangers.flatMap((name): Message[] => {
    const word = bare(name).toLowerCase();
    // `LEDGER` is a part of `LEDGER_FILE`.
    const isPart = (key: string) => word.length > 2 && key.toLowerCase().includes(word);
    const meant = nearest(bare(name), unset.map(bare)) ?? known.map(bare).find(isPart);
    const full = `${prefix}${meant}`;
    const isMeant = unset.includes(full);
    if (!isMeant && !isOurs) return [];
    const hint = isMeant ? `; did you mean ${full}?` : ", because there is no such key";
    return [{ code: "misspelled", finding: `${name} has no effect${hint}` }];
  });
}
