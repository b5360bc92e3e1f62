import { SECRET } from "../../messages/message";
import { ServiceError } from "../../service/errors";
import { isEmpty, isObject, type Properties, pick } from "../../settings/objects";
import { type DeviceKind, fromDevice, type Value, type Values } from "../../settings/setting";
import { isInRange } from "../../settings/valueOf";
import {
  baselineOutOfRange,
  baselinesUnknown,
  changedElsewhere,
  declaredElsewhere,
  goneBeforeDelete,
  moved,
  restored,
} from "../run/messages";
import { planRelease, releaseUnrestored, reportSuccessor, withBaselines } from "./baselines";
import { type Call, isUnsent, type Releasing, readDeviceOfKind, send, UncertainError } from "./call";
import {
  baselinesIn,
  differingKeys,
  isKept,
  isManaged,
  isOurs,
  isReplaceable,
  isSame,
  type Known,
  type Managed,
  managedIn,
  type Records,
  uncertainOf,
} from "./record";
import { type State, valuesOf } from "./state";

/** Whether a delete leaves the device unchanged. */
export function isRetained({ onDelete = "retain" }: Pick<State, "onDelete">): boolean {
  return onDelete === "retain";
}

/** Stops managing a device without changing it. */
export async function retain(call: Releasing, before: State): Promise<void> {
  await releaseUnrestored(call, await beginRelease(call, before));
}

/**
 * Stops managing a device, which cannot be deleted. Depending on `onDelete`, it writes back the baseline or the
 * service's defaults. It never touches a key that the program, or another stack of the fleet, declares elsewhere.
 * Baselines that are not written back are reported.
 * @returns whether it changed the device
 */
export async function remove(call: Call, before: State): Promise<boolean> {
  if (isRetained(before)) {
    await retain(call, before);
    return false;
  }
  const state = await beginRelease(call, before);
  const { settings } = state;
  // A stale cache can show our values to the next resource even after they are restored.
  planRelease(call.store, state);
  const keys = await unclaimed(
    call,
    state,
    managedIn(settings).map(([key]) => key),
  );
  if (keys.length === 0) return false;

  const device = await readDeviceOfKind(call, state, settings);
  if (!device) {
    await call.service.confirmGone(state);
    await call.warn(goneBeforeDelete(state));
    await releaseUnrestored(call, state, keys);
    return false;
  }
  const live = fromDevice(call.kind, device);
  const target =
    state.onDelete === "reset" ? pick(goalsOf(call, state), keys) : await restorable(call, state, keys, live);
  // A stale cache can hide that a key still has our value.
  const unseen = Object.keys(target).filter((key) => settings[key]?.status !== "verified");
  const differing = [...differingKeys(target, live), ...unseen];
  // Another resource may have declared the device during the read.
  const sent = pick(target, await unclaimed(call, state, differing));
  // The service's defaults replace baselines, which nobody could find again.
  const replaced = differingKeys(pick(baselinesIn(settings), Object.keys(target)), target);
  const releaseReplaced = () => releaseUnrestored(call, state, replaced, replaced);
  if (isEmpty(sent)) {
    // An earlier delete may have written them, whose answer was lost.
    await releaseReplaced();
    return false;
  }
  try {
    // Needed also if the device leaves a site in an update: its values are then no longer ours.
    await (await send({ ...call, operation: "delete" }, state, sent, { ...valuesOf(state), ...live }))?.end();
  } catch (error) {
    if (error instanceof ServiceError && error.isGone) {
      await call.service.confirmGone(state);
      await releaseUnrestored(call, state, Object.keys(sent));
      return false;
    }
    if (isUnsent(error)) throw error;
    // The engine keeps the state from before the delete. A site keeps this state for a device that could not leave.
    throw new UncertainError({ ...state, settings: inDoubt(settings, sent) }, error as Error, "uncertainDelete");
  }
  await releaseReplaced();
  await call.store.restored(state, sent, call);
  await call.info(restored(state, sent));
  return true;
}

/**
 * The state of a device to release, with its baselines. Reports what its new resource cannot know, because the engine
 * deletes the old one last: that the device may still have the old one's value, after a run that failed before its
 * deletes, or that the old one kept somebody else's value. In an update, only another process cannot know it.
 */
async function beginRelease(call: Releasing, before: State): Promise<State> {
  const state = withBaselines(call.store, before);
  await reportSuccessor(call, state);
  const { operation, store, warn } = call;
  const sent = store.written(state, "updated");
  for (const [key, record] of managedIn(state.settings)) {
    const owner = store.declared(state, key);
    const left = isKept(record) ? record.reported : record.value;
    if (!owner || (operation !== "delete" && owner.pid === undefined)) continue;
    if (left === owner.values[key] || isKept(record) !== (sent[key] === owner.values[key])) continue;
    await warn(moved(isKept(record) ? "keptOverwritten" : "declaredNotSent", state, key, left));
  }
  return state;
}

/**
 * The records of a device after an update of unknown outcome. Without this, a device that is declared again would
 * count as verified, and nothing would be sent.
 */
function inDoubt(settings: Records, sent: Values): Records {
  const doubtful = Object.entries(sent).map(([key, value]) => {
    const record = settings[key] as Managed;
    return [key, { ...uncertainOf(value, record), value: record.value }];
  });
  return { ...settings, ...Object.fromEntries(doubtful) };
}

/** The values that a delete may write back: depending on the device, it sends fewer. */
export function releaseValues(kind: DeviceKind, state: State): Values {
  if (isRetained(state)) return {};
  const goals = goalsOf({ kind }, state);
  return pick(
    goals,
    Object.keys(goals).filter((key) => {
      const isFound = state.onDelete === "reset" || isReplaceable(state.settings[key] as Managed);
      return isFound && isInRange(key, goals[key]);
    }),
  );
}

/** The values that a delete would write back. A secret baseline is known, too. @param outputs of a device */
export function restoredIn({ settings, ...values }: Properties): Values {
  const known = Object.entries({ ...(settings as Properties) }).flatMap(([key, one]) => {
    const record = { status: "verified", value: values[key], ...(isObject(one) ? one : {}) } as Records[string];
    if (!isManaged(record) || record.baseline === undefined) return [];
    const { baseline } = record;
    const isKnown = baseline === SECRET || isInRange(key, baseline);
    return isKnown && isReplaceable(record) ? [[key, baseline]] : [];
  });
  return Object.fromEntries(known);
}

/** The values that a delete should write back. */
function goalsOf({ kind }: Pick<Call, "kind">, { onDelete, settings }: State): Values {
  if (onDelete !== "reset") return baselinesIn(settings);
  return Object.assign({}, ...managedIn(settings).map(([key]) => ({ [key]: kind.settings[key]?.default })));
}

/**
 * The keys that no other resource declares. Reports the baselines of the other keys, because their new owner may not
 * know them.
 */
async function unclaimed(call: Call, state: State, keys: readonly string[]): Promise<string[]> {
  const goals = goalsOf(call, state);
  const ownerOf = (key: string) => call.store.declared(state, key);
  const claimed = keys.filter(ownerOf);
  const differing = claimed.filter((key) => ownerOf(key)?.values[key] !== goals[key]);
  const [first] = differing;
  if (first !== undefined) await call.warn(declaredElsewhere(state, differing, ownerOf(first)?.words));
  await releaseUnrestored(call, state, claimed);
  return keys.filter((key) => !claimed.includes(key));
}

/** The baselines of keys that still have our values, and that a program may declare. Reports the keys that are not restored, and the reason. */
async function restorable(call: Call, state: State, keys: readonly string[], live: Values): Promise<Values> {
  const found: Record<string, Value> = {};
  const unknown: string[] = [];
  for (const [key, record] of managedIn(pick<Known>(state.settings, keys))) {
    const { baseline } = record;
    if (baseline === undefined) {
      unknown.push(key);
      continue;
    }
    const isValid = isInRange(key, baseline);
    if (isValid && (isOurs(record, live[key]) || isSame(live[key], baseline))) {
      found[key] = baseline;
    } else {
      await call.warn(isValid ? changedElsewhere(state, key, live[key]) : baselineOutOfRange(state, key, baseline));
      await releaseUnrestored(call, state, [key]);
    }
  }
  if (unknown.length > 0) await call.warn(baselinesUnknown(state, unknown));
  return found;
}
