import { expect } from "chai";
import {
  baselinesIn,
  isManaged,
  isOurs,
  type Known,
  type Managed,
  managedIn,
  type Records,
  reportedOf,
} from "../../../provider/lifecycle/device/record";
import { fromInputs, fromOutputs, valuesOf } from "../../../provider/lifecycle/device/state";
import type { Read } from "../../../provider/lifecycle/operations";
import type { Difference } from "../../../provider/lifecycle/run/changes";
import type { Declaration } from "../../../provider/settings/declaration";
import { type Properties, pick } from "../../../provider/settings/objects";
import { fromDevice, toPatch, type Value, type Values } from "../../../provider/settings/setting";
import { diffOf } from "../../support/fakes";
import type { Ledger, Writer } from "./ledger";
import type { HandlerCall } from "./stack";

/** Requests of one call of each handler, if one read-back is enough. */
const REQUESTS: Readonly<Record<HandlerCall["operation"], RegExp>> = {
  check: /^$/,
  diff: /^$/,
  create: /^GET( PATCH( GET)?)?$/,
  update: /^(GET|(GET )?(PATCH( GET)?)?)$/,
  read: /^GET$/,
  import: /^GET$/,
  delete: /^(GET( PATCH)?)?$/,
};

/** A call that succeeded. */
interface Succeeded extends HandlerCall {
  readonly device: Declaration;
  /** The settings that the device had before. */
  readonly live: Values;
  /** By key, the one who last set it. */
  readonly writers: ReadonlyMap<string, Writer | undefined>;
  readonly result: unknown;
}

/** Checks the laws for every successful call of a handler. */
export function expectLaws(ledger: Ledger, call: Succeeded): void {
  const { kind, service } = ledger;
  const { operation, device, wanted, result } = call;
  expect(service.requests.map((request) => request.split(" ")[0]).join(" ")).to.match(REQUESTS[operation]);
  for (const request of service.requests) expect(request).to.match(new RegExp(` acme/${device.deviceId}$`));
  if (operation === "create" || operation === "update") {
    const outputs = operation === "create" ? (result as { outputs: Properties }).outputs : (result as Properties);
    expect(toPatch(kind, device.values), "what is sent is declared").to.include(service.sent[0] ?? {});
    expect(diffOf(kind, outputs, wanted), "nothing differs after it").to.deep.equal({ changes: [], replaces: [] });
    expectBaseline(ledger, call, outputs);
  }
  if (operation === "read" && result) expectRefreshed(ledger, call, result as Read);
  if (operation === "delete") expectLetGo(ledger, call);
  if (operation === "diff" || operation === "delete") noteOffered(ledger, call);
}

/** A deleted resource gives up its device; an updated one, the settings that it no longer declares. */
function noteOffered(ledger: Ledger, { operation, before, device, result }: Succeeded): void {
  const { deviceId, settings } = fromOutputs(ledger.kind, before);
  const leaves = operation === "delete" || (result as Difference).replaces.length > 0;
  for (const [key, record] of managedIn(settings)) {
    if (leaves || !(key in device.values)) ledger.offered.set(`${deviceId} ${key}`, record);
  }
}

/**
 * A baseline is the device's value from before the declaration, and stays the same while the key is declared. A
 * resource that takes over a device may have the earlier resource's baseline, but not if somebody else has set the key
 * since.
 */
function expectBaseline(ledger: Ledger, call: Succeeded, outputs: Properties): void {
  const { operation, before, live, writers } = call;
  const was = operation === "create" ? { settings: {} as Records } : fromOutputs(ledger.kind, before);
  const is = fromOutputs(ledger.kind, outputs);
  const baselines = baselinesIn(is.settings);
  const keys = managedIn(is.settings).map(([key]) => key);
  const isKept = (key: string) => isManaged(was.settings[key]);
  const declared = valuesOf(is);
  const setByOthers = (key: string) => writers.get(key) !== undefined && writers.get(key)?.name === undefined;
  // If a program declares the value that somebody else has set, this value is the baseline, whether a refresh or an
  // update's read found it.
  const isAdopted = (key: string) => {
    const before = was.settings[key];
    if (before?.status === "drifted" && reportedOf(before) === declared[key]) return true;
    return setByOthers(key) && live[key] === declared[key];
  };
  for (const key of keys.filter((key) => isKept(key) && !isAdopted(key))) {
    const before = was.settings[key] as Managed;
    expect(beforeUs(ledger, is.deviceId, key, before.baseline), key).to.include(baselines[key]);
  }
  if (!ledger.service.isCurrent) return;
  const shown = keys.filter((key) => ledger.isShown(key) && !isKept(key));
  for (const key of shown) {
    const offered = ledger.offered.get(`${is.deviceId} ${key}`);
    const isForeign = writers.get(key)?.name === undefined && !ledger.isOurs(is.deviceId, key, live[key]);
    if (!offered || (isForeign && !isAdjusted(offered, live[key]))) {
      expect(baselines[key], key).to.equal(live[key]);
    } else {
      expect([live[key], offered.baseline], key).to.include(baselines[key]);
    }
  }
}

/** A baseline. If it was a value of a resource that has given up the device since, that resource's baseline. */
function beforeUs(ledger: Ledger, deviceId: string, key: string, baseline: Value | undefined): (Value | undefined)[] {
  const offered = ledger.offered.get(`${deviceId} ${key}`);
  return offered && baseline !== undefined && isOurs(offered, baseline) ? [baseline, offered.baseline] : [baseline];
}

/** A refresh shows the present values of the declared keys, and neither adds nor loses one. */
function expectRefreshed(ledger: Ledger, { before, live }: Succeeded, read: Read): void {
  const { kind, service } = ledger;
  const was = fromOutputs(kind, before);
  const is = fromInputs(kind, read.inputs);
  expect(fromInputs(kind, read.outputs)).to.deep.equal(is);
  const values = valuesOf(was);
  expect(is.onDelete).to.equal(was.onDelete);
  expect(Object.keys(is.values)).to.have.members(Object.keys(values));
  expect(baselinesIn(fromOutputs(kind, read.outputs).settings)).to.deep.equal(baselinesIn(was.settings));
  if (!service.isCurrent) return;
  const shown = Object.keys(values).filter((key) => ledger.isShown(key) && !isUnapplied(was.settings[key], live[key]));
  expect(is.values).to.deep.equal({ ...values, ...pick(live, shown) });
}

/**
 * Whether the service seems to have adjusted our value: the provider cannot distinguish this from somebody else's
 * change.
 */
export function isAdjusted(record: Known | undefined, value: Value | undefined): boolean {
  return record?.status === "adjusted" && record.reported === value;
}

/** The same, or an update that the service seems never to have applied: a later run calls it adjusted. */
function isUnapplied(record: Known | undefined, value: Value | undefined): boolean {
  return isAdjusted(record, value) || (record?.status === "pending" && record.reported === value);
}

/** Whether the value may be somebody's, because it was there before our update: a delete leaves it. */
function mayBeOthers(record: Known | undefined): boolean {
  return record?.status === "adjusted" && record.ours !== undefined;
}

/**
 * A delete follows `onDelete` for our keys, unless another resource declares another value or somebody else has set
 * them.
 */
function expectLetGo(ledger: Ledger, { name, before, live, writers }: Succeeded): void {
  const { kind, service } = ledger;
  const state = fromOutputs(kind, before);
  const { deviceId, onDelete = "retain", settings } = state;
  const [values, baseline] = [valuesOf(state), baselinesIn(settings)];
  const sent = fromDevice(kind, service.sent[0] ?? {});
  const left: Values = { ...live, ...sent };
  const free = Object.keys(values).filter((key) => ledger.claimed(deviceId, key) === undefined);
  for (const [key, value] of Object.entries(sent)) {
    expect(values, "what is sent was declared").to.have.property(key);
    expect(ledger.claimed(deviceId, key) ?? value, "nobody declares another value than what is sent").to.equal(value);
  }
  if (onDelete === "retain") expect(service.requests).to.deep.equal([]);
  // A stale cache hides values that somebody else has set.
  if (onDelete === "retain" || ledger.gone.has(deviceId) || !service.isCurrent) return;
  const isReplaced = ledger.stack.replaced.some(({ outputs }) => outputs === before);
  for (const key of free) {
    const writer = writers.get(key);
    // A resource that was replaced, and a later one of the same name that wrote another value.
    if (isReplaced && writer?.name === name && values[key] !== live[key]) continue;
    const message = `${key} after ${onDelete}`;
    if (onDelete === "reset") {
      expect(left[key], message).to.equal(kind.settings[key]?.default);
    } else if (baseline[key] === undefined) {
      expect(sent, message).not.to.have.property(key);
    } else if (isAdjusted(settings[key], live[key]) && !mayBeOthers(settings[key])) {
      expect(left[key], message).to.equal(baseline[key]);
    } else if (writer && writer.name === undefined && !ledger.isOurs(deviceId, key, live[key])) {
      // The device keeps its value. If the value equals the baseline, the delete may send it, because a stale cache may
      // hide our update.
      expect(left[key], message).to.equal(live[key]);
    } else if (writer?.name === name && ledger.isAdopted(name, deviceId)) {
      const restored = beforeUs(ledger, deviceId, key, baseline[key]).map((value) => value ?? live[key]);
      expect(restored, message).to.include(left[key]);
    }
  }
}
