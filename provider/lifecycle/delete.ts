import { ServiceError } from "../service/errors";
import { differingKeys, fromDevice, omit, pick, toPatch, type Value, type Values } from "../settings/setting";
import { reportUnmanaged } from "./baselines";
import { type Call, readDeviceOfKind, recordUpdate } from "./call";
import { UncertainError } from "./errors";
import { baselineUnknown, changedElsewhere, declaredElsewhere, goneBeforeDelete } from "./messages";
import { isOurs, type State } from "./state";

/** Whether a delete leaves the device as it is. */
export function isRetained({ onDelete = "retain" }: Pick<State, "onDelete">): boolean {
  return onDelete === "retain";
}

/**
 * Stops managing a device, which cannot be deleted: writes back the baseline or the service's defaults, as `onDelete`
 * says. A key that the program, or another stack of the fleet, declares elsewhere is never touched. A baseline that is
 * not written back is reported.
 */
export async function remove(call: Call, state: State): Promise<void> {
  if (isRetained(state)) return await reportUnmanaged(call, state, state.baseline);
  const keys = await unclaimed(call, state, Object.keys(state.values));
  if (keys.length === 0) return;

  const device = await readDeviceOfKind(call, state);
  if (!device) {
    await call.service.confirmGone(state);
    await call.warn(goneBeforeDelete(state));
    return await reportUnmanaged(call, state, pick(state.baseline, keys));
  }
  const live = fromDevice(call.kind, device);
  const goals = goalsOf(call, state);
  const target = state.onDelete === "reset" ? pick(goals, keys) : await restorable(call, state, keys, live);
  // Behind a stale cache, a key may still have what we wrote and the read has not shown yet.
  const unseen = Object.keys(target).filter((key) => state.verification[key] !== "verified");
  const differing = [...differingKeys(target, live), ...unseen];
  // Another resource can have declared the device while it was read.
  const sent = pick(target, await unclaimed(call, state, differing));
  if (Object.keys(sent).length === 0) return;
  const recording = recordUpdate(call, state, sent, { ...state.values, ...live });
  try {
    await call.service.updateDevice(state, toPatch(call.kind, sent), call.signal);
  } catch (error) {
    await recording?.failed(error);
    if (error instanceof ServiceError && error.isGone) {
      await call.service.confirmGone(state);
      return await reportUnmanaged(call, state, pick(state.baseline, Object.keys(sent)));
    }
    if (error instanceof ServiceError && !error.maybeApplied) throw error;
    // The engine goes on with what was before; a site that the device was to leave, with this.
    throw new UncertainError(inDoubt(state, sent), error as Error, "uncertainDelete");
  }
  recording?.accepted();
  await recording?.end();
}

/**
 * The state of a device of which nobody knows whether it has what was sent. Without this, a device that is declared again
 * would count as having what was declared before, and would be sent nothing.
 */
function inDoubt(state: State, sent: Values): State {
  const keys = Object.keys(sent);
  const attempts = keys.map((key) => [key, [...new Set([...(state.attempted[key] ?? []), sent[key] as Value])]]);
  return {
    ...state,
    written: { ...pick(state.values, keys), ...state.written },
    attempted: { ...state.attempted, ...Object.fromEntries(attempts) },
    verification: omit(state.verification, keys),
  };
}

/** The values that a delete may write back. */
function goalsOf({ kind }: Call, { onDelete, values, baseline }: State): Values {
  if (onDelete !== "reset") return baseline;
  return Object.assign({}, ...Object.keys(values).map((key) => ({ [key]: kind.settings[key]?.default })));
}

/** The keys of which nobody else declares another value than the one that a delete would write. Reports the others. */
async function unclaimed(call: Call, state: State, keys: readonly string[]): Promise<string[]> {
  const goals = goalsOf(call, state);
  const claimed = keys.flatMap((key) => {
    const by = call.claims.against(state, key, goals[key]);
    return by ? [{ key, by }] : [];
  });
  const [first] = claimed;
  if (first) {
    const left = claimed.map(({ key }) => key);
    await call.warn(declaredElsewhere(state, left, first.by));
    await reportUnmanaged(call, state, pick(state.baseline, left));
  }
  return keys.filter((key) => claimed.every((one) => one.key !== key));
}

/** Baselines of the keys that nobody else has set since. Reports which keys are left alone, and why. */
async function restorable(call: Call, state: State, keys: readonly string[], live: Values): Promise<Values> {
  const restored: Record<string, Value> = {};
  for (const key of keys) {
    const before = state.baseline[key];
    if (before === undefined) {
      await call.warn(baselineUnknown(state, key));
    } else if (isOurs(state, key, live[key]) || live[key] === before) {
      restored[key] = before;
    } else {
      await call.warn(changedElsewhere(state, key, live[key]));
      await reportUnmanaged(call, state, { [key]: before });
    }
  }
  return restored;
}
