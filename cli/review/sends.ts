import { isDeepStrictEqual } from "node:util";
import { grouped } from "../../measure/sky/numbers";
import { Given } from "../../provider/configuration/given";
import { kindOfType, type ResourceKind, withoutFront } from "../../provider/engine/tokens";
import { inputOf, marked } from "../../provider/lifecycle/run/secretInputs";
import { sendsOf } from "../../provider/lifecycle/site/approval";
import { SECRET } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/names";
import type { EngineRun } from "../../provider/run";
import { OnDrift } from "../../provider/settings/declaration";
import { kindOf, type Place, placeOf } from "../../provider/settings/groups";
import { inverter } from "../../provider/settings/inverter";
import type { Properties } from "../../provider/settings/objects";
import { defined, isObject, pick, UNKNOWN } from "../../provider/settings/objects";
import { keysOf } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { startCommandRun } from "../environment";
import type { Preview } from "../view/pulumiPreview";

/** The inputs of a device of a site that are no settings and decide what is sent. */
const OF_DEVICE = /\.(onDelete|onDrift|planes)$/;

const IDS = ["businessId", "deviceId"];

const KINDS = { vehicle, inverter, site: undefined } as const;

/** A step of a preview, with the text `[secret]` in place of each secret value. */
type Step = Preview["steps"][number];

/** The values that a change may send to the devices of one resource. */
export interface ResourceSends {
  readonly urn: string;
  /** Address of the service; absent if none is configured. */
  readonly service?: string;
  readonly devices: ReturnType<typeof sendsOf>;
  /** The secrets that change, which no review shows: `maxCapacity of vehicle/car`. */
  readonly secret: readonly string[];
  /** The reason why its state is not understood. */
  readonly error?: string;
}

/** The values that the change of a program may send. @throws Error if the preview does not show their provider */
export function sendsInPreview(preview: Preview): ResourceSends[] {
  const providerOf = ({ oldState, newState }: Step) => (newState ?? oldState)?.provider ?? "";
  return [...grouped(preview.steps.filter(isOurs), providerOf)].flatMap(([provider, steps]) =>
    sendsInSteps(runOf(preview, provider), steps),
  );
}

/** A run with the configuration of a provider. @param provider its URN and id */
function runOf({ config, steps }: Preview, provider: string): EngineRun {
  const urn = provider.slice(0, provider.lastIndexOf("::"));
  const step = steps.find((one) => one.urn === urn);
  const explicit = new Given((step?.newState ?? step?.oldState)?.inputs ?? {}, urn);
  if (explicit.provider !== undefined && !step) {
    throw new Error(`the preview does not show the provider ${explicit.provider}: add --show-sames to it`);
  }
  return startCommandRun({}, explicit.provider === undefined ? new Given(config, "") : explicit);
}

/** The steps that can send something. A replacement has both states; its halves, if a preview lists them, have one. */
const SENDING = ["same", "create", "update", "replace", "create-replacement", "delete", "delete-replaced"];

/** Whether the update of a step can send something. */
function isOurs({ op, urn }: Pick<Step, "op" | "urn">): boolean {
  return SENDING.includes(op) && kindOfType(partsOf(urn).type) !== undefined;
}

/** The values that steps may send. The provider computes them in the same way before it sends anything. */
export function sendsInSteps(run: Pick<EngineRun, "store" | "configuration">, steps: readonly Step[]): ResourceSends[] {
  const { baseUrl: service } = run.configuration();
  return steps.filter(isOurs).map(({ op, urn, oldState, newState }) => {
    const kind = KINDS[kindOfType(partsOf(urn).type) as ResourceKind];
    const before = withoutFront(oldState?.outputs ?? {});
    const hidden = new Set([...hiddenIn(before)].map(inputOf));
    const olds = Object.keys(before).length > 0 ? without(hidden, keeping(before)) : undefined;
    const news = op.startsWith("delete") ? undefined : newState?.inputs && withoutFront(newState.inputs);
    const options = [...hiddenIn(news ?? {})].map(inputOf).filter((path) => {
      const isOfDevice = path.includes(".");
      return !hidden.has(path) && (isOfDevice ? OF_DEVICE.test(path) : path !== "latitude");
    });
    const resource = { urn, ...defined({ service }) };
    try {
      if (op === "replace" && isDeepStrictEqual(pick(before, IDS), pick(news ?? {}, IDS))) {
        const finding = `${partsOf(urn).name} would be replaced and keep its devices`;
        throw new Error(`${finding}, and no review shows what that sends: preview the change without --replace`);
      }
      const devices = sendsOf({ kind, name: partsOf(urn).name, olds, news: news && keeping(news) }, run);
      const secrets = devices.flatMap((one) => {
        const isKnown = (key: string) => hidden.has(key) || hidden.has(inputOf(["devices", one.label, key]));
        return secretsIn(one, isKnown).map((key) => `${key} of ${one.label}`);
      });
      return {
        ...resource,
        // A step without a change shows nothing to review.
        devices: devices.map((one) => ({
          ...one,
          sends: one.sends.filter(({ value, why }) => value !== SECRET && (op !== "same" || why === "repair")),
        })),
        secret: op === "same" ? [] : [...options.map((path) => `${path} of ${partsOf(urn).name}`), ...secrets],
      };
    } catch (error) {
      return { ...resource, devices: [], secret: [], error: (error as Error).message };
    }
  });
}

/**
 * The secrets of a device that change. A value that is hidden before and after counts as the same: if it is not, the
 * provider refuses it later.
 * @param isKnown whether a setting was a secret before
 */
function secretsIn(
  { businessId, deviceId, label, released, sends }: ResourceSends["devices"][number],
  isKnown: (key: string) => boolean,
): string[] {
  if ([businessId, deviceId].includes(SECRET)) return ["deviceId"];
  if (released !== undefined && isKnown("onDelete")) return ["onDelete"];
  if (released !== undefined && released !== "retain") return keysOf(kindOf(placeOf(label) as Place)).filter(isKnown);
  return sends.flatMap(({ setting, value }) => (value === SECRET && !isKnown(setting) ? [setting] : []));
}

/**
 * Properties with `keep` in place of an `onDrift` that nobody can see. Without this, the set would contain a value that
 * the program keeps, and that no review shows.
 */
function keeping(properties: Properties): Properties {
  const isAnswer = (path: string) => /^([^.]+\..+\.)?onDrift$/.test(path);
  return marked(properties, isAnswer, (answer) => {
    return [SECRET, UNKNOWN].includes(answer as string) ? OnDrift.Keep : answer;
  });
}

/** The paths of hidden values. */
function* hiddenIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (value === SECRET) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* hiddenIn(inner, [...path, key]);
}

/** Outputs without the hidden inputs and their records. Ids stay, because no state lacks them. */
function without(hidden: ReadonlySet<string>, outputs: Properties, path: readonly string[] = []): Properties {
  const kept = Object.entries(outputs).flatMap(([key, value]) => {
    const at = [...path, key];
    if (hidden.has(inputOf(at)) && ![...IDS, "onDrift"].includes(key)) return [];
    return [[key, isObject(value) ? without(hidden, value, at) : value]];
  });
  return Object.fromEntries(kept);
}
