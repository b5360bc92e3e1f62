import { ServiceError } from "../../service/errors";
import {
  type DeviceKind,
  differingKeys,
  fromDevice,
  isSame,
  pick,
  type Value,
  type Values,
} from "../../settings/setting";
import { isInRange } from "../../settings/valueOf";
import {
  baselineOutOfRange,
  baselinesUnknown,
  changedElsewhere,
  declaredElsewhere,
  goneBeforeDelete,
  restored,
} from "../run/messages";
import { planRelease, releaseUnrestored, reportSuccessor, withBaselines } from "./baselines";
import { type Call, isUnsent, readDeviceOfKind, send, UncertainError } from "./call";
import { baselinesIn, isOurs, type Known, type Managed, managedIn, type Records, uncertainOf } from "./record";
import { type State, valuesOf } from "./state";

/** Whether a delete leaves the device unchanged. */
export function isRetained({ onDelete = "retain" }: Pick<State, "onDelete">): boolean {
  return onDelete === "retain";
}

/**
 * Stops managing a device, which cannot be deleted. Depending on `onDelete`, it writes back the baseline or the
 * service's defaults. It never touches a key that the program, or another stack of the fleet, declares elsewhere.
 * Baselines that are not written back are reported.
 * @returns whether it changed the device
 */
export async function remove(call: Call, before: State): Promise<boolean> {
  const state = withBaselines(call, before);
  await reportSuccessor(call, state);
  if (isRetained(state)) {
    await releaseUnrestored(call, state);
    return false;
  }
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
  const releaseReplaced = () => releaseUnrestored(call, state, replaced);
  if (Object.keys(sent).length === 0) {
    // An earlier delete may have written them, whose answer was lost.
    await releaseReplaced();
    return false;
  }
  try {
    // Needed also if the device leaves a site in an update: its values are then no longer ours.
    const deleting = { ...call, operation: "delete" } as const;
    await (await send(deleting, state, sent, { ...valuesOf(state), ...live }))?.end();
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
  const isSent = (key: string) =>
    goals[key] !== undefined && (state.onDelete === "reset" || isInRange(key, goals[key]));
  return pick(goals, Object.keys(goals).filter(isSent));
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
  const claimed = keys.flatMap((key) => {
    const declared = call.store.declared(state, key);
    return declared ? [{ key, ...declared }] : [];
  });
  const differing = claimed.filter(({ key, value }) => value !== goals[key]);
  const [first] = differing;
  const keysOf = (some: readonly { readonly key: string }[]) => some.map(({ key }) => key);
  if (first) await call.warn(declaredElsewhere(state, keysOf(differing), first.by));
  await releaseUnrestored(call, state, keysOf(claimed));
  return keys.filter((key) => !keysOf(claimed).includes(key));
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
