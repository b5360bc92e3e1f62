import type { DeviceRef } from "../../service/device";
import { type Declaration, type DeviceOptions, keepsDrift } from "../../settings/declaration";
import { defined, isEmpty, omit, pick } from "../../settings/objects";
import { type Problem, problemsOf } from "../../settings/schema";
import type { DeviceKind, Values } from "../../settings/setting";
import { notImported } from "../run/messages";
import { knownBaseline, physicalDeviceOf, withBaselines, writeDown } from "./baselines";
import type { Call, Releasing } from "./call";
import { readValues } from "./read";
import { reconcile } from "./reconcile";
import { baselinesIn, isManaged, isSame, type Known, managedIn, overwriting, unsent } from "./record";
import { type State, stateUnder } from "./state";

/**
 * Adopts an existing device: keeps the present values of its declared keys as baselines, and sends those that differ.
 * @throws Error if the service does not know the device, or it is of another type
 */
export async function create(call: Call, declared: Declaration): Promise<State> {
  return await reconcileFirst(call, adopt(call, declared, await readValues(call, declared)), declared);
}

/**
 * Sends the declared keys that changed. If the program stops declaring a key, its value stays and is no longer
 * managed.
 */
export async function update(call: Call, inState: State, declared: Declaration): Promise<State> {
  const before = withBaselines(call, stateUnder(inState, declared));
  const { settings } = before;
  if (Object.keys(declared.values).every((key) => isManaged(settings[key]))) {
    return await reconcileFirst(call, before, declared, overwriting(settings, unsent(settings, declared.values)));
  }
  const state = withFirstDeclared(call, before, declared, await readValues(call, declared));
  return await reconcileFirst(call, state, declared);
}

/**
 * The state of a device before anything is sent to it. If an earlier run or another resource of ours wrote a value,
 * the baseline is the value from before.
 */
export function adopt(
  call: Pick<Releasing, "store">,
  { values, ...declared }: Declaration,
  reported: Values,
  options: Pick<DeviceOptions, "onDrift"> = declared,
): State {
  const records: [string, Known][] = [];
  // A stale cache can show the values from before another resource of this run restored the device.
  for (const [key, found] of Object.entries({ ...reported, ...call.store.written(declared) })) {
    const { [key]: own } = values;
    if (own === undefined) {
      records.push([key, { status: "unmanaged", reported: found }]);
      continue;
    }
    const value = isSame(found, own) ? own : found;
    const baseline = knownBaseline(call, declared, key, value);
    const owned = { value, ...defined({ baseline }) };
    const isKept = keepsDrift(options, key) && isSame(call.store.kept(declared, key, own), found);
    const kept: Known = { ...owned, status: "kept", value: own, reported: found };
    records.push([key, isKept ? kept : { ...owned, status: "verified" }]);
  }
  return { ...declared, ...physicalDeviceOf(call, declared), settings: Object.fromEntries(records) };
}

/**
 * The state with the present values of settings that are declared for the first time. Without this read, the last one
 * would be the baseline, and a value that somebody set since then would be lost.
 */
export function withFirstDeclared(
  call: Pick<Releasing, "store">,
  before: State,
  declared: Declaration,
  reported: Values,
): State {
  const first = Object.keys(declared.values).filter((key) => !isManaged(before.settings[key]));
  const { settings } = adopt(call, { ...declared, values: pick(declared.values, first) }, reported);
  return { ...before, settings: { ...settings, ...Object.fromEntries(managedIn(before.settings)) } };
}

/**
 * Brings a device to the declared state, after its baselines are written down.
 * @param sent the values whose baselines no log has yet
 */
async function reconcileFirst(
  call: Call,
  state: State,
  declared: Declaration,
  sent = unsent(state.settings, declared.values),
): Promise<State> {
  const { settings } = state;
  if (!isEmpty(sent)) {
    await writeDown(call, [{ device: declared, baseline: baselinesIn(settings), sent, isSecret: call.isSecret }]);
  }
  return await reconcile(call, state, declared);
}

/**
 * Imports a device unchanged: all reported values that a program may declare count as declared and accepted. Then a
 * program that declares them changes nothing.
 */
export async function importDevice(call: Call, device: DeviceRef): Promise<State> {
  return await asReported(call, call.kind, device, await readValues(call, device));
}

/** The state of a device whose reported values all count as declared and accepted, if a program may declare them. */
export async function asReported(
  call: Pick<Releasing, "store" | "warn">,
  kind: DeviceKind,
  device: DeviceRef,
  reported: Values,
): Promise<State> {
  const refused = refusedIn(kind, { ...device, ...reported });
  for (const { property, reason } of refused) await call.warn(notImported(device, property, reason));
  const values = omit(
    reported,
    refused.map(({ property }) => property),
  );
  return adopt(call, { ...device, values }, reported);
}

/** The values of a device that the check would refuse. Some are wrong only because another value is wrong. */
function refusedIn(kind: DeviceKind, inputs: Values): Problem[] {
  const problems = problemsOf(kind, inputs, new Set()).filter(({ property }) => property in inputs);
  if (problems.length === 0) return [];
  const others = omit(
    inputs,
    problems.map(({ property }) => property),
  );
  return [...problems, ...refusedIn(kind, others)];
}
