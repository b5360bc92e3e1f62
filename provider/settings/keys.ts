import { ON_DELETE, ON_DRIFT } from "./declaration";
import { didYouMean, listed, listWith, nearest } from "./explain";
import { bareWord } from "./knownWords";
import { isObject, type Properties } from "./objects";
import { GROUPS } from "./readiness";
import type { DeviceKind } from "./setting";
import { vehicle } from "./vehicle";

/** Units that people write as the name of a key. Without this, `kwp: 500` would become 500 W. */
const UNITS_AS_KEYS: Readonly<Record<string, string>> = { kwp: "kWp", kwh: "kWh", kw: "kW" };

/** Keys that a program declares for a site and not for one of its devices. */
export const OF_SITE: readonly string[] = ["latitude", "solar", "requireReady"];

/** Keys that most objects can have. A list of the keys of an object leaves them out, to stay short. */
const SHARED = ["$schema", "deviceId", "businessId", "onDelete", "onDrift", "ignoreLints", "observe"];

/** A kind of device with its article: `an inverter`. */
export function oneOf({ name }: DeviceKind): string {
  return name.startsWith("i") ? `an ${name}` : `a ${name}`;
}

/** Waves as a person would write them. Labels would not fit a fleet that has others. */
export const WAVES_EXAMPLE = "[{ share: 5%, soak: 30m }, { share: 20% }]";

const FLAG = ["true", "false"];

/** The keys that have one of a few values. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  policy: Object.keys(vehicle.settings.policy?.type === "choice" ? vehicle.settings.policy.choices : {}),
  onDelete: ON_DELETE,
  onDrift: ON_DRIFT,
  ...{ solar: FLAG, requireReady: FLAG, observe: FLAG },
};

/**
 * A key, with an accepted value if the given one is not accepted. Without this, `mode: solar` would lead to `policy:
 * solar`, which is wrong too.
 */
function withValue(key: string, given: unknown): string {
  if (key === "rollout" && !(isObject(given) && Object.hasOwn(given, "waves"))) {
    return `rollout: { waves: ${WAVES_EXAMPLE} }`;
  }
  if (key === "labels" && typeof given === "string") return `${key}: ${listWith([given])}`;
  const { [key]: choices } = CHOICES;
  const word = String(given);
  if (!choices || isObject(given) || choices.includes(word)) return key;
  return `${key}: ${nearest(word, choices) ?? listed(choices, "or")}`;
}

/** The kind of device that has a setting. */
export function kindWith(setting: string): DeviceKind | undefined {
  return Object.values(GROUPS).find(({ settings }) => Object.hasOwn(settings, setting));
}

/**
 * The problem of a key that an object cannot have, with the next step.
 * @param whole the object in words: `a manifest`
 * @param known all keys that it can have
 */
export function notAKey(key: string, whole: string, known: readonly string[], object: Properties): string {
  const no = `is not a key of ${whole}`;
  // `{ maxCapacity: 77,5 kWh }` in YAML.
  if (/^\d/.test(key)) return `${no}: a comma in braces ends a value. Write a decimal point, as in 77.5`;
  const meant = nearest(key, known);
  if (meant !== undefined) {
    // Without this, the key would be declared twice.
    if (Object.hasOwn(object, meant)) return `${no}; ${meant} is already there: remove ${key}`;
    const unit = UNITS_AS_KEYS[bareWord(key)];
    return `${no}; did you mean ${unit ? `${meant}: … ${unit}` : withValue(meant, object[key])}?`;
  }
  const advice = didYouMean(key, known);
  if (advice) return `${no}${advice}`;
  const owner = kindWith(key);
  if (owner) return `is a key of ${oneOf(owner)}, not of ${whole}: move it there`;
  const ofSite = nearest(key, OF_SITE);
  if (ofSite !== undefined) return `${no}: declare ${ofSite} for the site`;
  const others = known.filter((one) => !SHARED.includes(one) && !Object.hasOwn(object, one));
  return `${no}: remove it${others.length > 0 ? `, or use ${listed(others, "or")}` : ""}`;
}
