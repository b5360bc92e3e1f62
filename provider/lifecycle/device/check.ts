import { isNotUsable, type Message, MessageError, SECRET, textOf } from "../../messages/message";
import type { DeviceRef } from "../../service/device";
import { ignoredBy, type LintName, lint, lintMessage } from "../../settings/lints";
import { normalize } from "../../settings/normalize";
import { defined, isEmpty, isUnknown, type Properties, UNKNOWN } from "../../settings/objects";
import { FOLDED, foldWords, planesOf } from "../../settings/planes";
import { keysOfDevice, type Problem, problemsOf, readLatitude } from "../../settings/schema";
import type { DeviceKind, Values } from "../../settings/setting";
import { ChargePolicy, RECOMMENDED } from "../../settings/vehicle";
import type { Context, LiveDevice } from "../run/context";
import {
  changedAfterCheck,
  differsInCache,
  driftInCache,
  foldedPlanes,
  INVERTER_FIELDS_NOT_SET,
  notConnected,
} from "../run/messages";
import type { Run } from "../run/run";
import { SecretInputs } from "../run/secretInputs";
import { isSame } from "./record";
import { fromInputs } from "./state";

export interface Checked {
  /**
   * The program's inputs, with values in the service's units, and `businessId` from the configuration if it is not
   * given.
   */
  readonly inputs: Properties;
  /** The problems. One without a property is about the configuration, or about the whole resource. */
  readonly problems: readonly Problem[];
}

/** The inputs for a check. */
export interface CheckedInputs {
  /** Those of the last update or refresh; empty for a new resource. */
  readonly olds: Properties;
  readonly news: Properties;
}

/** The parts of a run that a check needs: it makes no request. */
export type CheckRun = Pick<Run, "configuration" | "store" | "report">;

/**
 * Finds all problems of a device's inputs and of the configuration, without a request. Doubtful values are warnings.
 */
export async function check(
  kind: DeviceKind,
  run: CheckRun,
  context: Context,
  { olds, news }: CheckedInputs,
): Promise<Checked> {
  const { store, report } = run;
  const { name, urn, secrets } = context;
  const { businessId, problems } = await checkConfiguration(run, [kind]);
  store.forget(urn);
  const given = { ...defined({ businessId }), ...defined(markUnknown(news)) };
  const { inputs, values, lints, device, ...examined } = examine(kind, given, { secrets });
  if (problems.length === 0 && inputs.businessId === undefined) problems.push(businessRequired(run));
  problems.push(...examined.problems);
  const owner = { urn, words: `${kind.resource} '${name}'`, kind: kind.name };
  if (device && values) problems.push(...store.add([{ ...device, ...owner, values }]).flatMap(claimProblems));
  if (problems.length > 0 || !values) return { inputs, problems };

  const live = context.live[kind.name];
  // Both have a business at this point.
  const isSameDevice = olds.businessId === inputs.businessId && olds.deviceId === inputs.deviceId;
  const before = isSameDevice ? fromInputs(kind, olds).values : {};
  const isNew = (keys: readonly string[]) => keys.some((key) => before[key] !== values[key]);
  const isForecast = values.policy === ChargePolicy.ChargeByForecast && isNew(["policy"]);
  // Warn about the policy only when it is new. Without this, every preview would repeat the warning for a policy that
  // is intended.
  const advised = isNew(["policy", ...RECOMMENDED]);
  const warnings = [
    ...lints.filter(({ setting }) => setting !== "policy" || advised),
    ...(isForecast ? unlessIgnored(inputs, FORECAST_ALONE) : []),
    ...(isEmpty(values) ? unlessIgnored(inputs, NOTHING_DECLARED) : []),
    ...differences(live, before, values, secrets),
  ];
  for (const message of warnings) await report.warn({ ...about(inputs), ...message }, urn);
  if (examined.fold && changesFold(before, values)) {
    await report.info({ ...examined.fold, ...about(inputs) }, urn);
  }
  return { inputs, problems };
}

/**
 * Parses inputs with the rules of the check. Without this, a value that a policy pack changed after the check would be
 * sent, whatever it is.
 * @throws MessageError for inputs that the check would refuse
 */
export function parse(
  kind: DeviceKind,
  run: Pick<Run, "report">,
  { secrets }: Pick<Context, "secrets">,
  news: Properties,
): Properties {
  const { inputs, problems } = examine(kind, markUnknown(news), { secrets });
  const required = inputs.businessId === undefined ? [businessRequired(run)] : [];
  refuse([...required, ...problems]);
  return inputs;
}

/** @throws MessageError if inputs have problems after their check */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new MessageError(changedAfterCheck(problems));
}

/** The warning about a vehicle that is declared without the inverters of its site. */
export const FORECAST_ALONE = lintMessage("forecast-without-inverter", [
  "policy CHARGE BY FORECAST needs the values of an inverter at the same site, and none is declared with the vehicle",
  "Declare both in one SiteSettings, which checks them",
]);

/** The warning about a resource that would do nothing, unseen. */
export const NOTHING_DECLARED = lintMessage("nothing-declared", [
  "no setting is declared, so nothing is sent",
  "Check values that can be undefined, such as those of configuration keys and of outputs of other stacks",
]);

/** A lint, unless the arguments of a device or a site switch it off. */
export function unlessIgnored(inputs: Properties, lint: Message): Message[] {
  return ignoredBy(inputs).some((name) => name === lint.code) ? [] : [lint];
}

interface ExamineOptions {
  readonly secrets: SecretInputs;
  /** Lints that the owner switches off. */
  readonly ignore?: readonly LintName[];
  /** The keys to suggest for an unknown one. */
  readonly allowed?: readonly string[];
}

/** The result of checking the inputs of one device. */
interface Examined {
  /** The inputs in the service's units. */
  readonly inputs: Properties;
  /** The declared values; undefined if the inputs are refused. */
  readonly values?: Values;
  /** The device, if its ids are known before the update. */
  readonly device?: DeviceRef | undefined;
  readonly problems: readonly Problem[];
  readonly lints: readonly Message[];
  /** The plane that is sent in place of several. */
  readonly fold?: Message;
}

/**
 * Checks the declarations of one device.
 * @param given its arguments. Unknown values are `UNKNOWN`, and the business is filled in if it is known
 */
export function examine(
  kind: DeviceKind,
  given: Properties,
  { secrets, ignore = [], allowed = keysOfDevice(kind) }: ExamineOptions,
): Examined {
  const inputs = normalize(kind, readLatitude(given));
  const givenKeys = new Set(Object.keys(inputs).filter((key) => inputs[key] === UNKNOWN));
  // A business that is set nowhere is a problem of the configuration.
  if (inputs.businessId === undefined) givenKeys.add("businessId");
  const problems = problemsOf(kind, inputs, givenKeys, allowed).map((problem) => secrets.hiding(problem, kind));
  if (problems.length > 0) return { inputs, problems, lints: [] };

  const { values, businessId, deviceId } = fromInputs(kind, inputs);
  const { latitude } = inputs as { readonly latitude?: number };
  const unknownKeys = new Set([...givenKeys, ...Object.keys(values).filter((key) => values[key] === UNKNOWN)]);
  const isKnown = !unknownKeys.has("businessId") && !unknownKeys.has("deviceId");
  const device = isKnown ? { businessId, deviceId } : undefined;
  const planes = planesOf(inputs);
  const isPlaceKnown = inputs.latitude !== UNKNOWN;
  const lints = lint(kind, values, {
    ...{ unknownKeys, secretKeys: secrets.keysOf(kind), latitude, ignore: [...ignore, ...ignoredBy(inputs)] },
    ...(isPlaceKnown && { planes }),
  });
  const words = planes && isPlaceKnown && !secrets.has("planes") ? foldWords(planes, latitude) : undefined;
  const fold = words && !words.isCoarse ? foldedPlanes(words) : undefined;
  return { inputs, values, device, problems, lints, ...defined({ fold }) };
}

/** The problems of a claim. @param others for each key that another resource declares too, that resource */
export function claimProblems(others: Readonly<Record<string, string>>): Problem[] {
  return Object.entries(others).map(([property, other]) => ({
    property,
    reason: `is declared by ${other} too, for the same device: declare it once`,
  }));
}

/** Whether the sent values for a device's planes change. @param before the earlier values */
export function changesFold(before: Properties, values: Values): boolean {
  return FOLDED.some((key) => before[key] !== values[key]);
}

/** Reads the configuration: the business of devices without one, and the problems. */
export async function checkConfiguration(
  { configuration, report }: Pick<Run, "configuration" | "report">,
  kinds: readonly DeviceKind[],
): Promise<{ businessId?: string | undefined; problems: Problem[] }> {
  try {
    const { businessId, unset, inverterFields } = configuration();
    // A preview makes no request, so missing configuration only matters for the update.
    if (unset.length > 0) await report.warn(notConnected(unset));
    const isGuessed = !inverterFields && kinds.some(({ isDocumented }) => !isDocumented);
    if (isGuessed) await report.warn(INVERTER_FIELDS_NOT_SET);
    return { businessId, problems: [] };
  } catch (error) {
    if (!isNotUsable(error)) throw error;
    return { problems: [{ property: "", reason: textOf(error.problem, report) }] };
  }
}

export function businessRequired({ report: { names } }: Pick<Run, "report">): Problem {
  return { property: "businessId", reason: `is required: give it here, or set ${names.allOf("businessId")}` };
}

/** The device for a warning: a detailed preview does not show the resource of a warning. */
function about({ deviceId }: Properties): { readonly device?: string } {
  return deviceId === UNKNOWN ? {} : { device: `device '${deviceId}'` };
}

/**
 * The problem that a live preview found, or the settings for which the service shows another value than the state, or
 * than the first declaration.
 * @param olds the inputs that are in state, of this device
 */
export function differences(
  { values, problem }: LiveDevice = {},
  olds: Properties,
  declared: Properties,
  secrets = new SecretInputs(),
): Message[] {
  const shownAs = (key: string, value: unknown) => (secrets.has(key) ? SECRET : value);
  if (problem) return [problem];
  return Object.entries(values ?? {}).flatMap(([key, value]): Message[] => {
    const [before, after] = [olds[key], declared[key]];
    if (before !== undefined && !isSame(before, value)) {
      return [driftInCache(key, shownAs(key, value), shownAs(key, before))];
    }
    const isNew = before === undefined && after !== undefined && after !== UNKNOWN && !isSame(after, value);
    return isNew ? [differsInCache(key, shownAs(key, value), shownAs(key, after))] : [];
  });
}

/** The inputs with one marker for unknown values, even if only a part of a value is unknown. */
export function markUnknown(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, isUnknown(value) ? UNKNOWN : value]));
}
