import { expect } from "chai";
import type { Difference } from "../../../provider/lifecycle/changes";
import { diff } from "../../../provider/lifecycle/diff";
import type { Operations } from "../../../provider/lifecycle/operations";
import type { Read } from "../../../provider/lifecycle/read";
import { fromInputs, fromOutputs, type Properties, type State } from "../../../provider/lifecycle/state";
import type { Declaration } from "../../../provider/settings/declaration";
import { fromDevice, pick, toPatch, type Value, type Values } from "../../../provider/settings/setting";
import type { Ledger, Writer } from "./ledger";
import type { HandlerCall } from "./stack";

/** Requests of one call of each handler, where the cache is read back once. */
const REQUESTS: Readonly<Record<Exclude<keyof Operations, "id">, RegExp>> = {
  check: /^$/,
  diff: /^$/,
  create: /^GET( PATCH( GET)?)?$/,
  update: /^(PATCH( GET)?)?$/,
  read: /^GET$/,
  import: /^GET$/,
  delete: /^(GET( PATCH)?)?$/,
};

/** A call that succeeded. */
interface Succeeded extends HandlerCall {
  readonly device: Declaration;
  /** The settings that the device had before. */
  readonly live: Values;
  /** By key, who had set it. */
  readonly writers: ReadonlyMap<string, Writer | undefined>;
  readonly result: unknown;
}

/** What holds after every call of a handler that succeeded. */
export function expectLaws(ledger: Ledger, call: Succeeded): void {
  const { kind, service } = ledger;
  const { operation, device, wanted, result } = call;
  expect(service.requests.map((request) => request.split(" ")[0]).join(" ")).to.match(REQUESTS[operation]);
  for (const request of service.requests) expect(request).to.match(new RegExp(` acme/${device.deviceId}$`));
  if (operation === "diff" && (result as Difference).replaces.length > 0) {
    const given = fromOutputs(kind, call.before);
    ledger.offered.set(given.deviceId, given);
  }
  if (operation === "create" || operation === "update") {
    const outputs = operation === "create" ? (result as { outputs: Properties }).outputs : (result as Properties);
    expect(toPatch(kind, device.values), "what is sent is declared").to.include(service.sent[0] ?? {});
    expect(diff(kind, outputs, wanted), "nothing differs after it").to.deep.equal({ changes: [], replaces: [] });
    expectBaseline(ledger, call, outputs);
  }
  if (operation === "read" && result) expectRefreshed(ledger, call, result as Read);
  if (operation === "delete") expectLetGo(ledger, call);
}

/**
 * A baseline is what the device had before, and stays what it is for as long as its key is declared. A resource that
 * takes over a device from another one may have that one's baseline, but not of a key that somebody else has set since.
 */
function expectBaseline(ledger: Ledger, call: Succeeded, outputs: Properties): void {
  const { operation, before, live, writers } = call;
  const was = operation === "create" ? { values: {}, baseline: {} } : fromOutputs(ledger.kind, before);
  const is = fromOutputs(ledger.kind, outputs);
  const keys = Object.keys(is.values);
  const kept = keys.filter((key) => key in was.values);
  expect(pick(is.baseline, kept)).to.deep.equal(pick(was.baseline, kept));
  if (operation !== "create" || !ledger.service.isCurrent) return;
  const shown = keys.filter((key) => ledger.isShown(key));
  const offered = ledger.offered.get(is.deviceId);
  for (const key of shown) {
    const ofBoth = [live[key], ...(offered && key in offered.values ? [offered.baseline[key]] : [])];
    const isForeign = writers.get(key)?.name === undefined && !ledger.isOurs(is.deviceId, key, live[key]);
    if (!offered || (isForeign && !isAdjusted(offered, key, live[key]))) {
      expect(is.baseline[key], key).to.equal(live[key]);
    } else {
      expect(ofBoth, key).to.include(is.baseline[key]);
    }
  }
}

/** A refresh shows the values of the declared keys as they are, and neither adds nor loses one. */
function expectRefreshed(ledger: Ledger, { before, live }: Succeeded, read: Read): void {
  const { kind, service } = ledger;
  const was = fromOutputs(kind, before);
  const is = fromInputs(kind, read.inputs);
  expect(fromInputs(kind, read.outputs)).to.deep.equal(is);
  expect(is.onDelete).to.equal(was.onDelete);
  expect(Object.keys(is.values)).to.have.members(Object.keys(was.values));
  expect(fromOutputs(kind, read.outputs).baseline).to.deep.equal(was.baseline);
  if (!service.isCurrent) return;
  const shown = Object.keys(was.values).filter((key) => ledger.isShown(key) && !isAdjusted(was, key, live[key]));
  expect(is.values).to.deep.equal({ ...was.values, ...pick(live, shown) });
}

/** Whether a value is one that the service seems to have made of ours: it cannot be told from somebody else's edit. */
export function isAdjusted({ verification, reported }: State, key: string, value: Value | undefined): boolean {
  return verification[key] === "adjusted" && reported[key] === value;
}

/** A delete writes what `onDelete` says, to our keys, where nobody else declares another value or has set them. */
function expectLetGo(ledger: Ledger, { name, before, live, writers }: Succeeded): void {
  const { kind, service } = ledger;
  const state = fromOutputs(kind, before);
  const { deviceId, onDelete = "retain", values, baseline } = state;
  const sent = fromDevice(kind, service.sent[0] ?? {});
  const left: Values = { ...live, ...sent };
  const free = Object.keys(values).filter((key) => ledger.claimed(deviceId, key) === undefined);
  for (const [key, value] of Object.entries(sent)) {
    expect(values, "what is sent was declared").to.have.property(key);
    expect(ledger.claimed(deviceId, key) ?? value, "nobody declares another value than what is sent").to.equal(value);
  }
  if (onDelete === "retain") expect(service.requests).to.deep.equal([]);
  // A stale cache hides what somebody else has set.
  if (onDelete === "retain" || ledger.gone.has(deviceId) || !service.isCurrent) return;
  for (const key of free) {
    const writer = writers.get(key);
    const message = `${key} after ${onDelete}`;
    if (onDelete === "reset") {
      expect(left[key], message).to.equal(kind.settings[key]?.default);
    } else if (baseline[key] === undefined) {
      expect(sent, message).not.to.have.property(key);
    } else if (isAdjusted(state, key, live[key])) {
      expect(left[key], message).to.equal(baseline[key]);
    } else if (writer && writer.name === undefined && !ledger.isOurs(deviceId, key, live[key])) {
      // A baseline that is there already is sent again where the cache may hide an update of ours.
      expect(left[key], message).to.equal(live[key]);
    } else if (writer?.name === name && ledger.isAdopted(name, deviceId)) {
      expect(left[key], message).to.equal(baseline[key]);
    }
  }
}
