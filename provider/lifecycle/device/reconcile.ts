import { MessageError, problemOf } from "../../messages/message";
import { type Declaration, keepsDrift } from "../../settings/declaration";
import { defined, isEmpty, omit } from "../../settings/objects";
import { fromDevice, keysOf, type Value, type Values } from "../../settings/setting";
import { adjusted, noSuchDevice, notReadBack, pending } from "../run/messages";
import { physicalDeviceOf, releaseUnrestored } from "./baselines";
import { type Call, isUnsent, readDeviceOfKind, send, UncertainError } from "./call";
import { reportKept, reportRead } from "./read";
import {
  acceptedOf,
  asDeclared,
  baselineOf,
  besideUpdate,
  comparedWith,
  isManaged,
  type Known,
  managedIn,
  type Records,
  refreshedBy,
  reportedOf,
  uncertainOf,
  unsent,
  valuesBy,
} from "./record";
import type { State } from "./state";

/**
 * Brings a device from its known state to the declared one: sends exactly the declared keys that the service is not
 * known to have accepted, and reads them back. Sends nothing if nothing differs.
 * @param held keys that stay unchanged, even if they are declared
 * @throws UncertainError if it is not known whether the service applied the update
 */
export async function reconcile(
  call: Call,
  before: State,
  { values, ...declared }: Declaration,
  held: readonly string[] = [],
): Promise<State> {
  // Drift that the program keeps from now on. Without this, nobody would see that the declared value is not set.
  await reportKept(call, before, (setting) => !keepsDrift(before, setting));
  const goals = omit(values, held);
  const sent = unsent(before.settings, goals);
  const isSent = (key: string) => key in sent;
  const stateOf = (recordOf: (key: string, record: Known | undefined) => Known | undefined): State => {
    const records = keysOf(call.kind).flatMap((key) => {
      const own = before.settings[key];
      const record = held.includes(key) ? own : recordOf(key, own);
      return record ? [[key, record] as const] : [];
    });
    return { ...declared, ...physicalDeviceOf(call.store, before), settings: Object.fromEntries(records) };
  };
  const settled = (key: string, record: Known | undefined) => settledOf(record, goals[key]);

  await releaseUnrestored(call, before, released(before.settings, goals, held));
  if (isEmpty(sent)) return stateOf(settled);

  const old = valuesBy(before.settings, (record) => acceptedOf(record) ?? reportedOf(record));
  const inDoubt = (error: unknown) => {
    const state = stateOf((key, record) =>
      isSent(key) ? uncertainOf(sent[key] as Value, record) : settled(key, record),
    );
    return new UncertainError(state, error as Error);
  };
  const recording = await send(call, declared, sent, old).catch((error) => {
    throw isUnsent(error) ? error : inDoubt(error);
  });
  call.store.updated(declared, sent);
  const reported = await readBack(call, declared, sent, before.settings).catch(async (error) => {
    await recording?.end();
    throw inDoubt(error);
  });
  if (!reported) {
    await recording?.end();
    return stateOf((key, record) => (isSent(key) ? unreadOf(sent[key] as Value, record) : settled(key, record)));
  }
  const state = stateOf((key, record) => {
    if (isSent(key)) return comparedWith(reported[key], sent[key] as Value, record);
    return besideUpdate(reported[key], settled(key, record));
  });
  await reportRead(call, before, omit<Known>(state.settings, Object.keys(sent)), reported);
  await recording?.end(Object.fromEntries(managedIn(state.settings).map(([key, { status }]) => [key, status])));
  return state;
}

/** The record of a setting to which nothing is sent. @param declared undefined if it is no longer declared */
function settledOf(record: Known | undefined, declared: Value | undefined): Known | undefined {
  if (declared === undefined) return refreshedBy(reportedOf(record), undefined);
  // The program now declares somebody else's value, or ignores its changes. Without `ours`, a delete would take the
  // value for ours and write over it.
  return isManaged(record) ? asDeclared(record, declared) : record;
}

/** The record of an accepted value after a failed read-back. */
function unreadOf(value: Value, before: Known | undefined): Known {
  const reported = reportedOf(before);
  return { status: "pending", value, ...defined({ reported }), ...baselineOf(before) };
}

/** The settings that are no longer declared, so that their baseline leaves the state. */
function released(settings: Records, goals: Values, held: readonly string[]): string[] {
  return managedIn(settings).flatMap(([key]) => (key in goals || held.includes(key) ? [] : [key]));
}

/** First and longest pause between two reads, in milliseconds (our choice). */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 2000;

/**
 * The values that the cached read shows after an update. It repeats the read while a sent key still shows another
 * value, until the time is up. Undefined if the read fails: accepted values stay accepted.
 * @throws Error if another server than the service answers: then it may also have answered the update
 */
async function readBack(
  call: Call,
  device: Omit<Declaration, "values">,
  sent: Values,
  before: Records,
): Promise<Values | undefined> {
  const end = performance.now() + call.verifyTimeoutSeconds * 1000;
  const keysThatAre = (status: "pending" | "adjusted", reported: Values) =>
    Object.entries(sent).flatMap(([key, value]) =>
      comparedWith(reported[key], value, before[key]).status === status ? [key] : [],
    );
  const shown = (setting: string, reported: Values) => ({ setting, sent: sent[setting], reported: reported[setting] });
  const read = async () => {
    const found = await readDeviceOfKind(call, device, before);
    if (!found) throw new MessageError(noSuchDevice(device));
    return fromDevice(call.kind, found);
  };
  try {
    let reported = await read();
    const isStale = () => keysThatAre("pending", reported).length > 0;
    for (let pause = FIRST_PAUSE; isStale() && performance.now() < end; pause *= 2) {
      await new Promise((pass) => setTimeout(pass, Math.min(pause, LONGEST_PAUSE)));
      reported = await read();
    }
    for (const key of keysThatAre("pending", reported)) {
      await call.warn(pending(device, shown(key, reported), call.verifyTimeoutSeconds));
    }
    for (const key of keysThatAre("adjusted", reported)) {
      await call.warn(adjusted(device, shown(key, reported)));
    }
    return reported;
  } catch (error) {
    if (problemOf(error).code === "notTheService") throw error;
    await call.warn(notReadBack(device, Object.keys(sent), problemOf(error)));
    return undefined;
  }
}
