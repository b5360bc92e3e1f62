import { type Problem, problemsOf } from "../settings/schema";
import type { DeviceKind } from "../settings/setting";
import { type Configuration, missingFor, namesOf } from "./configuration";
import { ConfigurationError } from "./errors";
import type { Run } from "./run";
import { fromInputs, type Properties } from "./state";

/** What the engine sends in place of a value that is not known before the update, at any depth and for every type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export interface Checked {
  /** The program's inputs with `businessId` resolved from the configuration. */
  readonly inputs: Properties;
  /** A problem without a property is one of the configuration. */
  readonly problems: readonly Problem[];
}

/**
 * Everything that is wrong with a resource's inputs and the configuration, without a request.
 * @param news the program's inputs; `__declaredElsewhere` in them is not the user's but the class's, and is not kept
 */
export async function check(kind: DeviceKind, run: Run, news: Properties): Promise<Checked> {
  const { __declaredElsewhere, ...inputs }: Record<string, unknown> = news;
  const problems = ownershipProblems(__declaredElsewhere);
  try {
    const configuration = run.configuration();
    await warnOfGaps(kind, run, configuration);
    if (inputs.businessId === undefined) inputs.businessId = configuration.businessId;
    if (inputs.businessId === undefined) {
      problems.push({ property: "businessId", reason: `is required: give it here, or set ${namesOf("businessId")}` });
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push({ property: "", reason: error.message });
  }
  const unknownKeys = new Set(Object.keys(inputs).filter((key) => inputs[key] === UNKNOWN));
  // Without a business the problem is told already.
  if (inputs.businessId === undefined) unknownKeys.add("businessId");
  problems.push(...problemsOf(kind, inputs, unknownKeys));

  const { values, ...device } = fromInputs(kind, inputs);
  const isKnown = !unknownKeys.has("businessId") && !unknownKeys.has("deviceId");
  if (problems.length === 0 && isKnown) run.claims.add(device, Object.keys(values));
  return { inputs, problems };
}

/** @param owners by key, the other resource that declares it for the same device; absent, or not known yet, is none */
function ownershipProblems(owners: unknown): Problem[] {
  if (typeof owners !== "object" || owners === null) return [];
  return Object.entries(owners).map(([property, owner]) => ({
    property,
    reason: `is declared by ${owner} too, for the same device: declare it once`,
  }));
}

/** What does not stop a preview, which makes no request, but will matter to the update. */
async function warnOfGaps(kind: DeviceKind, run: Run, configuration: Configuration): Promise<void> {
  const missing = missingFor(configuration);
  if (missing.length > 0) {
    await run.warn(
      `${missing.join("; ")}. A preview needs no connection, but nothing can be read or changed without it`,
    );
  }
  if (!kind.isDocumented && !configuration.inverterFields) {
    const names = Object.entries(kind.settings).map(([key, { wireName }]) => `${key} as ${wireName}`);
    await run.warn(
      `the service does not document an inverter's fields; sent unconfirmed: ${names.join(", ")}. ` +
        `Confirm or correct them with ${namesOf("inverterFields")}`,
    );
  }
}
