import type { Message } from "../messages/message";
import { IN_STACK, NAMESPACE, variableOf } from "../messages/names";
import { nearest } from "../settings/explain";

export { NAMESPACE, variableOf };

/** The description and the limits of one value. */
interface ConfigurationValue {
  readonly type: "text" | "number" | "integer" | "flag" | "object";
  /** Its meaning. The schema of the package, the docstrings of `ProviderArgs` and the table in docs/ have it. */
  readonly description: string;
  readonly unit?: "seconds" | "requests";
  /** Smallest and largest accepted value, inclusive (our choice). */
  readonly range?: readonly [minimum: number, maximum: number];
  readonly default?: number | boolean;
}

/** The provider's configuration, by key. */
export const CONFIGURATION = {
  baseUrl: { type: "text", description: "Address of the service: https, or http on loopback. A path in it is kept." },
  businessId: { type: "text", description: "Default business id, for devices without a `businessId`." },
  accessToken: { type: "text", description: "Backend access token, or `file:<path>`." },
  tokenCommand: { type: "text", description: "Shell command that prints the token." },
  oauthTokenUrl: { type: "text", description: "OAuth 2.0 token endpoint: https, or http on loopback." },
  oauthClientId: { type: "text", description: "Client id at the token endpoint." },
  oauthClientSecret: { type: "text", description: "Secret of that client, or `file:<path>`." },
  oauthScope: { type: "text", description: "Scopes, separated by a space." },
  inverterFields: {
    type: "object",
    description: "Wire name of each inverter setting, by key. The service does not document them.",
  },
  maxConcurrency: {
    type: "integer",
    description: "Requests in flight at once.",
    unit: "requests",
    range: [1, 1000],
    default: 16,
  },
  maxRequestsPerMinute: {
    type: "number",
    description:
      "Maximum number of requests a minute, over all stacks of a fleet and all providers of a program. Default: no limit.",
    unit: "requests",
    range: [0.1, 1_000_000],
  },
  requestTimeoutSeconds: {
    type: "number",
    description: "Time limit of one request, and of the token command.",
    unit: "seconds",
    range: [0.1, 3600],
    default: 30,
  },
  retryTimeoutSeconds: {
    type: "number",
    description: "Time limit of all tries of one request. With 0, the provider tries once.",
    unit: "seconds",
    range: [0, 3600],
    default: 120,
  },
  verifyTimeoutSeconds: {
    type: "number",
    description: "Longest wait for a stale cache after an update.",
    unit: "seconds",
    range: [0, 3600],
    default: 10,
  },
  livePreview: { type: "flag", description: "Whether a preview reads the declared devices.", default: false },
  allowGone: {
    type: "flag",
    description:
      "Whether to remove devices that the service does not know from state, even if they are most devices of a run.",
    default: false,
  },
  ledgerFile: { type: "text", description: "File to which the provider appends each PATCH as a line." },
  approved: {
    type: "text",
    description: "Approved set of values, and its digest: `<file>#sha256:<digest>`. The provider sends no other value.",
  },
} as const satisfies Readonly<Record<string, ConfigurationValue>>;

export type ConfigurationKey = keyof typeof CONFIGURATION;
/** The keys whose values are secrets. */
export const SECRET_KEYS: readonly ConfigurationKey[] = ["accessToken", "oauthClientSecret"];

export const CONFIGURATION_KEYS = Object.keys(CONFIGURATION) as readonly ConfigurationKey[];

/** A value of the configuration in words: its meaning, unit, range and default. */
export function describeConfiguration(key: ConfigurationKey): string {
  const { description, unit, range, default: fallback }: ConfigurationValue = CONFIGURATION[key];
  const limits = unit && range ? ` A number of ${unit}, from ${range.join(" to ")}.` : "";
  return `${description}${limits}${fallback === undefined ? "" : ` Default: ${fallback}.`}`;
}

/**
 * If this variable is set, the stack's configuration is ignored, and so is the copy of it that the engine keeps in
 * state.
 */
export const ENVIRONMENT_ONLY = "SOLAR_CHARGING_ENVIRONMENT_ONLY";

/**
 * Misspelled keys and variables: they are set, unknown, and close to a known name that is not set. Other unknown names
 * are ignored: they can belong to a project of the name `solar-charging`.
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
