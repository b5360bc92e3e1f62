import { z } from "zod";
import type { ServiceOptions } from "../service/client";
import { inverter } from "../settings/inverter";
import { idSchema } from "../settings/schema";
import { keysOf, withWireNames } from "../settings/setting";
import { ConfigurationError } from "./errors";

/** Reads one configuration value by its key, without the namespace; undefined where it is not set. */
export type Lookup = (key: string) => string | undefined;

/** The provider's configuration, checked. Absent: not set anywhere. */
export interface Configuration {
  readonly baseUrl?: string;
  readonly businessId?: string;
  readonly accessToken?: string;
  /** Wire names of inverter keys; absent: not confirmed by the user. */
  readonly inverterFields?: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  readonly requestTimeoutSeconds: number;
  readonly retryTimeoutSeconds: number;
  readonly verifyTimeoutSeconds: number;
  /** Whether a preview reads the declared devices. */
  readonly livePreview: boolean;
}

const NAMESPACE = "solar-charging";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const baseUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const refuse = (reason: string) => {
    context.addIssue(reason);
    return z.NEVER;
  };
  if (!url || !/^https?:$/.test(url.protocol)) return refuse("is not an https URL such as https://api.example.com");
  if (url.username || url.password) return refuse("must not hold credentials; the access token is set on its own");
  if (url.search || url.hash) return refuse("must not have a query or a fragment");
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) {
    return refuse(
      `uses http to ${url.hostname}; http is accepted on loopback only, because it would show the token: use https`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
});

const accessToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "holds more than a token: give it alone, without 'Bearer ', spaces or line breaks");

const inverterKeys = keysOf(inverter);

const inverterFields = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('is not JSON; expected an object such as {"peakPower":"peak_power"}');
      return z.NEVER;
    }
  })
  .pipe(
    z.partialRecord(
      z.enum(inverterKeys),
      z
        .string({ error: ({ path }) => `needs the wire name of ${String(path?.at(-1))} as text` })
        .trim()
        .min(1, "names an empty field"),
      { error: `has to be a JSON object of wire names for ${inverterKeys.join(", ")}` },
    ),
  )
  .refine((fields) => {
    const wireNames = Object.values(withWireNames(inverter, fields as Record<string, string>).settings);
    return new Set(wireNames.map(({ wireName }) => wireName)).size === inverterKeys.length;
  }, "gives two keys the same wire name");

function amount(unit: string, minimum: number, maximum: number): z.ZodType<number, string> {
  const reason = `has to be a number of ${unit} from ${minimum} to ${maximum}`;
  return z
    .string()
    .trim()
    .regex(/^\d+(\.\d+)?$/, reason)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, reason);
}

const fields = {
  baseUrl: baseUrl.optional(),
  businessId: idSchema.optional(),
  accessToken: accessToken.optional(),
  inverterFields: inverterFields.optional(),
  maxConcurrency: amount("requests", 1, 1000)
    .refine(Number.isInteger, "has to be a whole number of requests")
    .default(16),
  requestTimeoutSeconds: amount("seconds", 0.1, 3600).default(30),
  retryTimeoutSeconds: amount("seconds", 0, 3600).default(120),
  verifyTimeoutSeconds: amount("seconds", 0, 3600).default(10),
  livePreview: z
    .enum(["true", "false"], "has to be true or false")
    .transform((text) => text === "true")
    .default(false),
};
type Key = keyof typeof fields;
const keys = Object.keys(fields) as Key[];

/** `solar-charging:baseUrl` or SOLAR_CHARGING_BASE_URL: both names of a configuration value, for messages. */
export function namesOf(key: Key): string {
  return `${NAMESPACE}:${key} or ${variableOf(key)}`;
}

/**
 * Reads and checks the configuration. The stack's configuration is found first, then the environment; for the access
 * token it is the other way round, because the engine keeps a copy of the stack's configuration in state and would go
 * on using a rotated token's old value.
 * @throws ConfigurationError that names everything that is wrong
 */
export function readConfiguration(stack: Lookup, environment: NodeJS.ProcessEnv): Configuration {
  const found = Object.fromEntries(
    keys.map((key) => {
      const sources = [stack(key), environment[variableOf(key)]];
      if (key === "accessToken") sources.reverse();
      return [key, sources.find((value) => value !== undefined && value !== "")];
    }),
  );
  const parsed = z.object(fields).safeParse(found);
  if (parsed.success) return parsed.data as Configuration;
  const wrong = parsed.error.issues.map(({ path, message }) => `${namesOf(path[0] as Key)} ${message}`);
  throw new ConfigurationError([...wrong, ...missingFor(found)]);
}

/** What a call of the service needs. @throws ConfigurationError that names everything that is missing */
export function serviceOptions(configuration: Configuration): Omit<ServiceOptions, "onRetry"> {
  const { baseUrl, accessToken } = configuration;
  if (baseUrl !== undefined && accessToken !== undefined) return { ...configuration, baseUrl, accessToken };
  throw new ConfigurationError([
    ...missingFor(configuration),
    "refresh and destroy go by the environment, and by the stack's configuration as of the last up",
  ]);
}

/** What is still to be set before the service can be called, for messages. */
export function missingFor(configuration: Pick<Configuration, "baseUrl" | "accessToken">): string[] {
  return (["baseUrl", "accessToken"] as const)
    .filter((key) => configuration[key] === undefined)
    .map((key) => `${namesOf(key)} is not set`);
}

function variableOf(key: Key): string {
  return `SOLAR_CHARGING_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
