import { changesOf } from "../../ledger/journal";
import type { Store } from "../../ledger/store";
import type { DeviceRef } from "../../service/device";
import { type Declaration, keepsDrift } from "../../settings/declaration";
import { defined, isEmpty, omit } from "../../settings/objects";
import { type Problem, problemsOf } from "../../settings/schema";
import type { DeviceKind, Values } from "../../settings/setting";
import { notImported } from "../run/messages";
import { knownBaseline, physicalDeviceOf, showBaselines, withBaselines } from "./baselines";
import type { Call, Releasing } from "./call";
import { readValues } from "./read";
import { reconcile } from "./reconcile";
import { baselinesIn, isManaged, isSame, type Known, managedIn, overwriting, unsent } from "./record";
import { type State, stateUnder } from "./state";

/**
 * Brings a device to the declared state. It adopts one without state: keeps the present values of its declared keys as
 * baselines, and sends those that differ. If the program stops declaring a key, its value stays and is no longer managed.
 * @param inState undefined for a new resource
 * @throws Error if the service does not know the device, or it is of another type
 */
export async function apply(call: Call, inState: State | undefined, declared: Declaration): Promise<State> {
  const { store, isSecret } = call;
  const known = inState && withBaselines(store, stateUnder(inState, declared));
  const state =
    known && isAllManaged(known, declared)
      ? known
      : readState(store, known, declared, await readValues(call, declared));
  const sent = unrecorded(known, state, unsent(state.settings, declared.values));
  if (!isEmpty(sent)) {
    const updates = [{ device: declared, changes: changesOf(sent, baselinesIn(state.settings), isSecret) }];
    store.journal.plan(updates, call.urn);
    await showBaselines(call, updates);
  }
  return await reconcile(call, state, declared);
}

/** Whether all declared settings are managed, so that an update need not read the device first. */
export function isAllManaged({ settings }: State, { values }: Pick<Declaration, "values">): boolean {
  return Object.keys(values).every((key) => isManaged(settings[key]));
}

/** The sent values whose baselines no log has yet. @param known the state before a read, if the device has one */
export function unrecorded(known: State | undefined, state: State, sent: Values): Values {
  return state === known ? overwriting(state.settings, sent) : sent;
}

/**
 * The state of a device before anything is sent to it, with its reported values as the baselines of settings that are
 * declared for the first time. If an earlier run or another resource of ours wrote a value, the baseline is the value from
 * before.
 * @param known undefined for a device that is adopted
 */
export function readState(
  store: Store,
  known: State | undefined,
  { values, ...declared }: Declaration,
  reported: Values,
): State {
  const settings = Object.fromEntries<Known>(managedIn(known?.settings ?? {}));
  // A stale cache can show the values from before another resource of this run restored the device.
  for (const [key, found] of Object.entries({ ...reported, ...store.written(declared) })) {
    const { [key]: own } = values;
    if (Object.hasOwn(settings, key)) continue;
    if (own === undefined) {
      settings[key] = { status: "unmanaged", reported: found };
      continue;
    }
    const value = isSame(found, own) ? own : found;
    const baseline = knownBaseline(store, declared, key, value);
    const owned = { value, ...defined({ baseline }) };
    const isKept = keepsDrift(declared, key) && isSame(store.kept(declared, key, own), found);
    settings[key] = isKept
      ? { ...owned, status: "kept", value: own, reported: found }
      : { ...owned, status: "verified" };
  }
  return { ...(known ?? { ...declared, ...physicalDeviceOf(store, declared) }), settings };
}

/**
 * The state of an imported device: all reported values that a program may declare count as declared and accepted. Then a
 * program that declares them changes nothing.
 */
export async function asReported(
  { store, warn }: Pick<Releasing, "store" | "warn">,
  kind: DeviceKind,
  device: DeviceRef,
  reported: Values,
): Promise<State> {
  const refused = refusedIn(kind, { ...device, ...reported });
  for (const { property, reason } of refused) await warn(notImported(device, property, reason));
  const values = omit(
    reported,
    refused.map(({ property }) => property),
  );
  return readState(store, undefined, { ...device, values }, reported);
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
