import { didYouMean, listed, nearest } from "./explain";
import { bareWord } from "./knownWords";
import { GROUPS } from "./readiness";
import type { DeviceKind } from "./setting";

/** Units that people write as the name of a key. Without its unit, `kwp: 500` would become 500 W. */
const UNITS_AS_KEYS: Readonly<Record<string, string>> = { kwp: "kWp", kwh: "kWh", kw: "kW" };

/** Keys that a program declares for a site and not for one of its devices. */
export const OF_SITE: readonly string[] = ["latitude", "solar", "requireReady"];

/** Keys that most objects can have. A list of keys is short without them. */
const SHARED = ["$schema", "deviceId", "businessId", "onDelete", "onDrift", "ignoreLints", "observe"];

/** A kind of device with its article: `an inverter`. */
export function oneOf({ name }: DeviceKind): string {
  return name.startsWith("i") ? `an ${name}` : `a ${name}`;
}

/**
 * The problem of a key that an object cannot have, and the next step.
 * @param whole the object in words: `a manifest`
 * @param known all keys that it can have
 */
export function notAKey(key: string, whole: string, known: readonly string[], object: object): string {
  const no = `is not a key of ${whole}`;
  const meant = nearest(key, known);
  // Without this, the key would be declared twice.
  if (meant !== undefined && Object.hasOwn(object, meant)) return `${no}; ${meant} is already there: remove ${key}`;
  const unit = UNITS_AS_KEYS[bareWord(key)];
  if (meant !== undefined && unit !== undefined) return `${no}; did you mean ${meant}: … ${unit}?`;
  const advice = didYouMean(key, known);
  if (advice) return `${no}${advice}`;
  const owner = Object.values(GROUPS).find(({ settings }) => Object.hasOwn(settings, key));
  if (owner) return `is a key of ${oneOf(owner)}, not of ${whole}: move it there`;
  const ofSite = nearest(key, OF_SITE);
  if (ofSite !== undefined) return `${no}: declare ${ofSite} for the site`;
  const others = known.filter((one) => !SHARED.includes(one) && !Object.hasOwn(object, one));
  return `${no}: remove it${others.length > 0 ? `, or use ${listed(others, "or")}` : ""}`;
}
