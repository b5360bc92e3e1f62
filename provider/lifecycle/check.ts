import { type Configuration, namesOf, unsetFor } from "../configuration/configuration";
import { ConfigurationError } from "../configuration/error";
import type { Run } from "../run";
import { type LintName, type LintOptions, lint } from "../settings/lints";
import { type Problem, problemsOf } from "../settings/schema";
import { type DeviceKind, normalize, pick } from "../settings/setting";
import { isUnknown, knownFacts, type ProgramFacts, UNKNOWN } from "./program";
import { fromInputs, type Properties } from "./state";

export interface Checked {
  /** The program's inputs with `businessId` resolved from the configuration, and values in the units that are sent. */
  readonly inputs: Properties;
  /** A problem without a property is one of the configuration, or of the resource as a whole. */
  readonly problems: readonly Problem[];
}

/**
 * Everything that is wrong with a resource's inputs and the configuration, without a request. What only looks wrong is
 * a warning.
 * @param olds the inputs as of the last update or refresh; empty for a new resource
 * @param news the program's inputs. `__program` in them is the class's, not the user's; it, `ignoreLints` and `latitude`
 *   are for the check only, and are not kept
 */
export async function check(kind: DeviceKind, run: Run, olds: Properties, news: Properties): Promise<Checked> {
  const { __program, ...given } = news;
  const program = knownFacts(__program);
  const inputs = normalize(kind, markUnknown(given));
  const problems = refusals(program);
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
  if (isSameDevice(olds, inputs)) {
    for (const [key, value] of Object.entries(pick(olds, program.keeps ?? []))) inputs[key] ??= value;
  }
  const unknownKeys = new Set(Object.keys(inputs).filter((key) => inputs[key] === UNKNOWN));
  // Without a business the problem is told already.
  if (inputs.businessId === undefined) unknownKeys.add("businessId");
  problems.push(...problemsOf(kind, inputs, unknownKeys));

  const { ignoreLints, latitude, ...kept } = inputs as Properties &
    Pick<LintOptions, "latitude"> & { ignoreLints?: LintName[] };
  if (problems.length > 0) return { inputs: kept, problems };
  const { values, ...device } = fromInputs(kind, kept);
  if (!unknownKeys.has("businessId") && !unknownKeys.has("deviceId")) {
    run.claims.add(device, values, program.urn);
  }
  const lints = lint(kind, values, { unknownKeys, latitude, ignore: ignoreLints }).map(({ message }) => message);
  // A detailed preview shows a warning without the resource that it is about.
  const about = unknownKeys.has("deviceId") ? "" : `device '${device.deviceId}': `;
  for (const message of [...lints, ...differences(program, isSameDevice(olds, inputs) ? olds : {}, values)])
    await run.warn(about + message, program.urn);
  if (program.live && "problem" in program.live) await run.warn(program.live.problem, program.urn);
  return { inputs: kept, problems };
}

/** Whether the state is about the device that the program declares. Both have their business by now. */
function isSameDevice(olds: Properties, { businessId, deviceId }: Properties): boolean {
  return olds.businessId === businessId && olds.deviceId === deviceId;
}

/** What the program knows to be wrong. */
function refusals({ heldBack, declaredElsewhere = {} }: ProgramFacts): Problem[] {
  const twice = Object.entries(declaredElsewhere).map(([property, owner]) => ({
    property,
    reason: `is declared by ${owner} too, for the same device: declare it once`,
  }));
  return heldBack === undefined ? twice : [{ property: "", reason: heldBack }, ...twice];
}

/**
 * Where the service shows another value of the device than the state, or than what is declared for the first time.
 * @param olds the inputs that are in state, of this device
 */
function differences({ live }: ProgramFacts, olds: Properties, declared: Properties): string[] {
  const shown = Object.entries(live && "values" in live ? live.values : {});
  return shown.flatMap(([key, value]) => {
    const [before, after] = [olds[key], declared[key]];
    if (before !== undefined && before !== value) {
      return (
        `${key} is ${value} in the service's cache, and ${before} in state: somebody else set it, or the cache is ` +
        'behind. "pulumi refresh" takes it into state, and the next "pulumi up" then sets what is declared'
      );
    }
    const isNew = before === undefined && after !== undefined && after !== UNKNOWN && after !== value;
    return isNew ? `${key} is ${value} in the service's cache: "pulumi up" sets it to ${after}` : [];
  });
}

/** The inputs with one sign for everything that is not known yet, also where only a part of a value is not. */
function markUnknown(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, isUnknown(value) ? UNKNOWN : value]));
}

/** What does not stop a preview, which makes no request, but will matter to the update. */
async function warnOfGaps(kind: DeviceKind, run: Run, configuration: Configuration): Promise<void> {
  const missing = unsetFor(configuration);
  if (missing.length > 0) {
    await run.warn(
      `${missing.join("; ")}. A preview needs no connection, but nothing can be read or changed without it`,
    );
  }
  if (!kind.isDocumented && !configuration.inverterFields) {
    const names = Object.fromEntries(Object.entries(kind.settings).map(([key, { wireName }]) => [key, wireName]));
    await run.warn(
      "the service does not document an inverter's fields, and they are sent unconfirmed. " +
        `To confirm or correct them, set ${namesOf("inverterFields")} to ${JSON.stringify(names)}`,
    );
  }
}
