import { z } from "zod";
import type { Message } from "../messages/message";
import { NAMESPACE, variableOf } from "../messages/names";
import { deviceSchema } from "../service/device";
import { listed } from "../settings/explain";
import { inverter } from "../settings/inverter";
import { pick } from "../settings/objects";
import { idSchema } from "../settings/schema";
import { keysOf, withWireNames } from "../settings/setting";
import { vehicle } from "../settings/vehicle";
import { CONFIGURATION_KEYS, ENVIRONMENT_ONLY, type ConfigurationKey as Key, NUMBERS } from "./configurationKeys";
import {
  type CredentialKey,
  type CredentialValues,
  credentialFields,
  credentialsOf,
  kindsOf,
  missingCredentials,
} from "./credentials";
import { ConfigurationError } from "./error";
import { serviceUrl } from "./serviceUrl";

/** Reads a configuration value by its key, without the namespace; undefined if it is not set. */
export type Lookup = (key: string) => string | undefined;

const inverterKeys = keysOf(inverter);

/** Names that cannot be configured as wire names: fields with another meaning, and one that JSON cannot represent. */
const TAKEN_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(deviceSchema.shape),
  ...Object.values(vehicle.settings).map(({ wireName }) => wireName),
  "__proto__",
]);

const inverterFields = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('is not JSON; write it such as {"peakPower":"peak_power"}');
      return z.NEVER;
    }
  })
  .pipe(
    z.partialRecord(
      z.enum(inverterKeys),
      z
        .string({
          error: ({ path }) => `must have a text for ${String(path?.at(-1))}: the name of its field at the service`,
        })
        .trim()
        .min(1, "has an empty field name")
        .refine((name) => !TAKEN_FIELDS.has(name), {
          error: ({ input }) => `cannot use the field ${input}: it has another meaning`,
        }),
      { error: `must be a JSON object with the field names of ${listed(inverterKeys)} at the service` },
    ),
  )
  .transform((fields) => fields as Record<string, string>)
  .refine((fields) => {
    const wireNames = Object.values(withWireNames(inverter, fields).settings);
    return new Set(wireNames.map(({ wireName }) => wireName)).size === inverterKeys.length;
  }, "gives two settings the same field name");

function amount(key: keyof typeof NUMBERS): z.ZodType<number, string> {
  const { unit, range } = NUMBERS[key];
  const [minimum, maximum] = range;
  const error = refusal(`must be a number of ${unit} from ${minimum} to ${maximum}`);
  return z
    .string()
    .trim()
    .regex(/^\d+(\.\d+)?$/, { error })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, { error });
}

/** The reason with the value, which is no secret. */
function refusal(reason: string) {
  return ({ input }: { input?: unknown }) => `${reason}, not ${JSON.stringify(input)}`;
}

const yesOrNo = z
  .enum(["true", "false"], { error: refusal("must be true or false") })
  .transform((text) => text === "true")
  .default(false);

const fields = {
  baseUrl: serviceUrl.transform((url) => url.replace(/(?<!\/)\/+$/, "")).optional(),
  businessId: idSchema.optional(),
  ...credentialFields,
  inverterFields: inverterFields.optional(),
  maxConcurrency: amount("maxConcurrency")
    .refine(Number.isInteger, "must be a whole number of requests")
    .default(NUMBERS.maxConcurrency.default),
  maxRequestsPerMinute: amount("maxRequestsPerMinute").optional(),
  requestTimeoutSeconds: amount("requestTimeoutSeconds").default(NUMBERS.requestTimeoutSeconds.default),
  retryTimeoutSeconds: amount("retryTimeoutSeconds").default(NUMBERS.retryTimeoutSeconds.default),
  verifyTimeoutSeconds: amount("verifyTimeoutSeconds").default(NUMBERS.verifyTimeoutSeconds.default),
  livePreview: yesOrNo,
  allowGone: yesOrNo,
  ledgerFile: z
    .string()
    .regex(/^(?! )[^\p{Cc}]+(?<! )$/u, "must be the path of a file, on one line, without spaces around it")
    .optional(),
  approved: z
    .string()
    .regex(/^.+#sha256:[0-9a-f]{64}$/, "must be a file and the digest that its review shows: <file>#sha256:<digest>")
    .transform((text) => {
      const end = text.lastIndexOf("#");
      return { path: text.slice(0, end), digest: text.slice(end + 1) };
    })
    .optional(),
} satisfies Record<Key, z.ZodType>;
const schema = z.object(fields);
type Values = z.output<typeof schema>;

/**
 * The provider's checked configuration: see `ProviderArgs`. Values that are set nowhere are absent. It has one kind
 * of credentials at most.
 */
export type Configuration = { readonly [K in keyof Values]: Exclude<Values[K], undefined> } & {
  /** Source of the credentials, for messages; absent if there are none. */
  readonly credentialsFrom?: string;
  /**
   * Whether the credentials are in the stack's configuration or in the arguments of a provider, which the engine keeps.
   */
  readonly areCredentialsKept?: boolean;
};

const plainKeys = CONFIGURATION_KEYS.filter((key) => !(key in credentialFields));

/**
 * Reads and checks the configuration. The stack's configuration wins over the environment.
 *
 * For credentials, the environment wins: the engine keeps a copy of the stack's configuration in state, and would
 * continue to use the old value of a rotated secret. If the environment sets any credentials, only their kind counts.
 * Each value of that kind comes from the environment, otherwise from the stack.
 *
 * The arguments of an explicit provider win over the environment, also for credentials. Without this, a token of the
 * environment would go to the wrong service if a program has two providers. The approved set always comes from the
 * environment if that sets one.
 * @param stack the stack's configuration, or the arguments of an explicit provider
 * @param provider the name of the explicit provider
 * @throws ConfigurationError that names all problems
 */
export function readConfiguration(stack: Lookup, environment: NodeJS.ProcessEnv, provider?: string): Configuration {
  const inStack = environment[ENVIRONMENT_ONLY] ? {} : valuesOf(stack);
  const inEnvironment = valuesOf((key) => environment[variableOf(key)]);
  const [first, second] = provider === undefined ? [inEnvironment, inStack] : [inStack, inEnvironment];
  const telling = kindsOf(first).length > 0 ? first : second;
  const [kind = []] = kindsOf(telling);
  const found = {
    ...pick({ ...inEnvironment, ...inStack }, plainKeys),
    // Without this, a change to the stack's configuration could replace the set that a pipeline has approved.
    ...pick(inEnvironment, ["approved"]),
    ...pick({ ...second, ...first }, kind),
  };
  const nameAt = (values: object, key: Key) => {
    if (values === inEnvironment) return variableOf(key);
    return provider === undefined ? `${NAMESPACE}:${key}` : `${key} of the provider '${provider}'`;
  };
  const parsed = schema.safeParse(found);
  const issues = parsed.error?.issues ?? [];
  const wrong = [
    ...issues.map(({ path: [key], message }): Message => {
      return { code: "notUsable", finding: `{${String(key)}?} ${message}`, keys: [String(key)] };
    }),
    ...leaksIn(environment),
    ...conflictIn(telling, (key) => nameAt(telling, key)),
  ];
  if (wrong.length === 0) {
    const [key] = kind;
    const place = key && first[key] === undefined ? second : first;
    const from = key && { credentialsFrom: nameAt(place, key), areCredentialsKept: place === inStack };
    return { ...(parsed.data as Configuration), ...from };
  }
  throw new ConfigurationError([...wrong, ...unsetFor(found)]);
}

/**
 * The options for calls of the service.
 * @throws ConfigurationError that names all missing values
 */
export function serviceOptions(configuration: Configuration) {
  const { baseUrl } = configuration;
  const missing = unsetFor(configuration);
  if (baseUrl !== undefined && missing.length === 0) {
    const { credentialsFrom: from, areCredentialsKept: isKept } = configuration;
    const { settings } = withWireNames(inverter, configuration.inverterFields ?? {});
    return {
      ...configuration,
      baseUrl,
      inverterFields: Object.values(settings).map(({ wireName }) => wireName),
      credentials: { ...credentialsOf(configuration), from, isKept },
    };
  }
  throw new ConfigurationError([...missing, OF_LAST_UP]);
}

const OF_LAST_UP: Message = {
  code: "configurationOfLastUp",
  finding: 'in a refresh or a destroy, the stack configuration is that of the last "pulumi up"',
  advice: 'If you have changed it since then, run "pulumi up" first, or add --run-program',
};

/** The keys that have to be set before the service can be called, for messages. */
export function unsetFor(configuration: Pick<Configuration, "baseUrl" | CredentialKey>): Message[] {
  const keys: Key[] = missingCredentials(configuration);
  if (configuration.baseUrl === undefined) keys.unshift("baseUrl");
  return keys.map(
    (key): Message => ({ code: "notSet", finding: `{${key}?} is not set${TO_SET[key] ?? ""}`, keys: [key] }),
  );
}

/** The values that every user needs. */
const TO_SET: { readonly [K in Key]?: string } = {
  baseUrl: ": set it to the address of the service, such as https://service.example",
  accessToken: ": set it to an access token of the service (in a stack, with pulumi config set --secret)",
};

/**
 * The values that are set. Empty values count as not set, but for those that guard a run, so that they are refused.
 * Without this, a pipeline that lost its approved set would send everything.
 */
function valuesOf(lookup: Lookup): Readonly<Record<string, string>> {
  return Object.fromEntries(
    CONFIGURATION_KEYS.flatMap((key) => {
      const value = lookup(key);
      return value || (value !== undefined && ["approved", "ledgerFile"].includes(key)) ? [[key, value]] : [];
    }),
  );
}

/** Parts of Node that print headers, and with them the access token, if NODE_DEBUG names them. */
const TALKATIVE = ["http", "https", "http2", "net", "stream", "tls"];

function leaksIn({ NODE_DEBUG = "" }: NodeJS.ProcessEnv): Message[] {
  const isNamed = NODE_DEBUG.split(",").some((pattern) => {
    const name = pattern.trim().toLowerCase();
    // Node's syntax: an asterisk matches anything.
    const [start = "", ...rest] = name.split("*");
    const isMatch = (part: string) => (rest.length === 0 ? part === name : part.startsWith(start));
    return name !== "" && TALKATIVE.some(isMatch);
  });
  const finding = "NODE_DEBUG would make Node print the access token";
  return isNamed
    ? [{ code: "nodeDebug", finding, advice: "Unset NODE_DEBUG, or remove http, https, net, stream and tls from it" }]
    : [];
}

/** The problem of credentials of several kinds in the same place. */
function conflictIn(values: CredentialValues, nameOf: (key: Key) => string): Message[] {
  const telling = kindsOf(values).map((kind) => kind.find((key) => values[key] !== undefined) as Key);
  if (telling.length < 2) return [];
  const finding = `${telling.map(nameOf).join(" and ")} are different credentials`;
  return [{ code: "severalCredentials", finding, advice: "Set only one of them" }];
}
