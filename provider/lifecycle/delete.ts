import { nameOf } from "../service/device";
import { ServiceError } from "../service/errors";
import { differingKeys, fromDevice, pick, toPatch, type Value, type Values } from "../settings/setting";
import { type Call, readDeviceOfKind, recordUpdate } from "./call";
import { fromOutputs, isOurs, type Properties, type State } from "./state";

/** Whether a delete leaves the device as it is. */
export function isRetained({ onDelete = "retain" }: Pick<State, "onDelete">): boolean {
  return onDelete === "retain";
}

/**
 * Lets go of a device, which cannot be deleted, by writing back the baseline or the service's defaults, as `onDelete`
 * says. A key of which another resource of the same run, or another stack of the fleet, declares another value, is never
 * touched.
 */
export async function remove(call: Call, outputs: Properties): Promise<void> {
  const state = fromOutputs(call.kind, outputs);
  const all = Object.keys(state.values);
  const goals = state.onDelete === "reset" ? defaults(call, all) : state.baseline;
  const against = (key: string) => call.claims.against(state, key, goals[key]);
  const taken = all.filter((key) => against(key) === "another stack");
  if (taken.length > 0) {
    const before = JSON.stringify(pick(state.baseline, taken));
    await call.warn(
      `${nameOf(state)} is left to the stack that declares it now. Before this one did, it had ${before}`,
    );
  }
  const keys = all.filter((key) => against(key) === undefined);
  if (keys.length === 0) return;

  const device = await readDeviceOfKind(call, state);
  if (!device) return;
  const live = fromDevice(call.kind, device);
  const target = state.onDelete === "reset" ? pick(goals, keys) : await restorable(call, state, keys, live);
  // Behind a stale cache, a key may still have what we wrote and the read has not shown yet.
  const unseen = Object.keys(target).filter((key) => state.verification[key] !== "verified");
  const sent = pick(target, [...differingKeys(target, live), ...unseen]);
  if (Object.keys(sent).length === 0) return;
  const recording = recordUpdate(call, state, sent, { ...state.values, ...live });
  try {
    await call.service.updateDevice(state, toPatch(call.kind, sent), call.signal);
  } catch (error) {
    await recording?.failed(error);
    if (error instanceof ServiceError && error.isGone) return;
    if (error instanceof ServiceError && !error.maybeApplied) throw error;
    // The engine goes on with what was before.
    const advice = 'delete again, or "pulumi refresh" before the next "pulumi up"';
    throw new Error(`${(error as Error).message}. It may have been applied: ${advice}`);
  }
  recording?.accepted();
  await recording?.end();
}

function defaults({ kind }: Call, keys: readonly string[]): Values {
  return Object.assign({}, ...keys.map((key) => ({ [key]: kind.settings[key]?.default })));
}

/** Baselines of the keys that nobody else has set since. Says which keys are left alone, and why. */
async function restorable(call: Call, state: State, keys: readonly string[], live: Values): Promise<Values> {
  const restored: Record<string, Value> = {};
  for (const key of keys) {
    const before = state.baseline[key];
    if (before === undefined) {
      await call.warn(`${nameOf(state)}: ${key} is not restored: the service did not report what it was before`);
    } else if (isOurs(state, key, live[key]) || live[key] === before) {
      restored[key] = before;
    } else {
      const found = live[key] === undefined ? "it is no longer reported" : `it is now ${live[key]}, set elsewhere`;
      await call.warn(`${nameOf(state)}: ${key} is not restored: ${found}`);
    }
  }
  return restored;
}
