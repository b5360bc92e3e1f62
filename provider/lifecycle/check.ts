import { type Message, textOf } from "../messages/message";
import type { Names } from "../messages/names";
import type { DeviceRef } from "../service/device";
import { type LintName, type LintOptions, lint } from "../settings/lints";
import { normalize } from "../settings/normalize";
import { type Problem, problemsOf, readLatitude } from "../settings/schema";
import type { DeviceKind, Values } from "../settings/setting";
import { ChargePolicy } from "../settings/vehicle";
import type { Owner } from "./claims";
import { WITHOUT_INVERTER } from "./forecasts";
import { differsInCache, driftInCache, inverterFieldsNotSet, notConnected } from "./messages";
import { isUnknown, knownFacts, type LiveDevice, type ProgramFacts, UNKNOWN } from "./program";
import { isNotUsable, type Run } from "./run";
import { SECRET, SecretInputs } from "./secretInputs";
import { fromInputs, type Properties } from "./state";
import { nameIn } from "./urn";

export interface Checked {
  /** The program's inputs with `businessId` resolved from the configuration, and values in the units that are sent. */
  readonly inputs: Properties;
  /** A problem without a property is one of the configuration, or of the resource as a whole. */
  readonly problems: readonly Problem[];
}

/**
 * Everything that is wrong with a device's inputs and the configuration, without a request. What only looks wrong is
 * a warning.
 * @param olds the inputs as of the last update or refresh; empty for a new resource
 * @param news the program's inputs. `__program` in them is the class's, not the user's; it, `ignoreLints` and `latitude`
 *   are for the check only, and are not kept
 */
export async function check(kind: DeviceKind, run: Run, olds: Properties, news: Properties): Promise<Checked> {
  const { __program, ...given } = news;
  const program = knownFacts(__program);
  const { businessId, problems } = await configured(run, [kind]);
  run.claims.release(program.urn);
  const owner = { urn: program.urn, words: `${kind.resource} '${nameIn(program.urn)}'`, kind };
  const inBusiness = { ...(businessId !== undefined && { businessId }), ...defined(markUnknown(given)) };
  const secrets = new SecretInputs(program.secrets);
  const examined = examine(run, owner, inBusiness, { ...program, secrets });
  const { inputs, declared, lints } = examined;
  if (problems.length === 0 && inputs.businessId === undefined)
    problems.push(businessRequired("businessId", run.names));
  problems.push(...examined.problems);
  if (problems.length > 0 || !declared) return { inputs, problems };

  const before = isSameDevice(olds, inputs) ? olds : {};
  const warnings = [...lints, ...differences(program.live, before, declared.values, secrets)];
  for (const message of warnings) await run.warn({ ...message, ...about(inputs) }, program.urn);
  if (program.live && "problem" in program.live) await run.warn(program.live.problem, program.urn);
  return { inputs, problems };
}

/** What is found out about the inputs of one device. */
export interface Examined {
  /** What is kept of them. */
  readonly inputs: Properties;
  /** Undefined if there is a problem. */
  readonly declared?: {
    readonly device: DeviceRef;
    readonly values: Values;
    readonly unknownKeys: ReadonlySet<string>;
  };
  readonly problems: readonly Problem[];
  readonly lints: readonly Message[];
}

/**
 * Checks what is declared of one device, and claims it for its owner.
 * @param given with one sign for everything that is not known yet, and with the business if it is known
 * @param ignore lints that the owner switches off
 */
export function examine(
  run: Run,
  owner: Owner,
  given: Properties,
  { hasInverter, secrets }: Pick<ProgramFacts, "hasInverter"> & { readonly secrets: SecretInputs },
  ignore: readonly LintName[] = [],
): Examined {
  const { kind } = owner;
  if (kind.name === "inverter") run.forecasts.seeInverter();
  const inputs = normalize(kind, readLatitude(given));
  const unknownKeys = new Set(Object.keys(inputs).filter((key) => inputs[key] === UNKNOWN));
  // The problem of a business that is set nowhere is one of the configuration.
  if (inputs.businessId === undefined) unknownKeys.add("businessId");
  const problems = problemsOf(kind, inputs, unknownKeys).map((problem) => secrets.hiding(problem, kind));
  const { ignoreLints, latitude, ...kept } = inputs as Properties &
    Pick<LintOptions, "latitude"> & { ignoreLints?: LintName[] | typeof UNKNOWN };
  if (problems.length > 0) return { inputs: kept, problems, lints: [] };

  const { values, ...device } = fromInputs(kind, kept);
  const isKnown = !unknownKeys.has("businessId") && !unknownKeys.has("deviceId");
  const others = isKnown ? run.claims.add(device, values, owner) : {};
  const twice = Object.entries(others).map(([property, other]) => ({
    property,
    reason: `is declared by ${other} too, for the same device: declare it once`,
  }));
  const ignored = [...ignore, ...(Array.isArray(ignoreLints) ? ignoreLints : [])];
  const lints = lint(kind, values, { unknownKeys, secretKeys: secrets.keysOf(kind), latitude, ignore: ignored });
  if (values.policy === ChargePolicy.ChargeByForecast && !ignored.includes("forecast-without-inverter")) {
    if (hasInverter === false) lints.push(WITHOUT_INVERTER);
    else if (hasInverter === undefined) run.forecasts.add(owner.words);
  }
  return { inputs: kept, declared: { device, values, unknownKeys }, problems: twice, lints };
}

/** What the configuration says: the business that a device belongs to if it does not say so itself, and what is wrong. */
export async function configured(
  run: Run,
  kinds: readonly DeviceKind[],
): Promise<{ businessId?: string; problems: Problem[] }> {
  try {
    const { businessId } = run.configuration();
    await warnOfGaps(kinds, run);
    return businessId === undefined ? { problems: [] } : { businessId, problems: [] };
  } catch (error) {
    if (!isNotUsable(error)) throw error;
    return { problems: [{ property: "", reason: textOf(error.problem, { names: run.names }) }] };
  }
}

export function businessRequired(property: string, names: Names): Problem {
  return { property, reason: `is required: give it here, or set ${names.allOf("businessId")}` };
}

/** A detailed preview shows a warning without the resource that it is about. */
function about({ deviceId }: Properties): { readonly device?: string } {
  return deviceId === UNKNOWN ? {} : { device: `device '${deviceId}'` };
}

/** Without keys that are undefined, which would hide a default. */
export function defined(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
}

/** Whether the state is about the device that the program declares. Both have their business by now. */
function isSameDevice(olds: Properties, { businessId, deviceId }: Properties): boolean {
  return olds.businessId === businessId && olds.deviceId === deviceId;
}

/**
 * Where the service shows another value of the device than the state, or than what is declared for the first time.
 * @param olds the inputs that are in state, of this device
 */
export function differences(
  live: LiveDevice | undefined,
  olds: Properties,
  declared: Properties,
  secrets = new SecretInputs(),
): Message[] {
  const shownAs = (key: string, value: unknown) => (secrets.has(key) ? SECRET : value);
  const shown = Object.entries(live && "values" in live ? live.values : {});
  return shown.flatMap(([key, value]): Message[] => {
    const [before, after] = [olds[key], declared[key]];
    if (before !== undefined && before !== value) {
      return [driftInCache(key, shownAs(key, value), shownAs(key, before))];
    }
    const isNew = before === undefined && after !== undefined && after !== UNKNOWN && after !== value;
    return isNew ? [differsInCache(key, shownAs(key, value), shownAs(key, after))] : [];
  });
}

/** The inputs with one sign for everything that is not known yet, also if only a part of a value is not. */
export function markUnknown(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, isUnknown(value) ? UNKNOWN : value]));
}

/** What does not stop a preview, which makes no request, but will matter to the update. */
async function warnOfGaps(kinds: readonly DeviceKind[], run: Run): Promise<void> {
  const missing = run.unset();
  if (missing.length > 0) {
    await run.warn(notConnected(missing));
  }
  if (!run.configuration().inverterFields && kinds.some(({ isDocumented }) => !isDocumented)) {
    await run.warn(inverterFieldsNotSet());
  }
}
