import type { Device } from "../service/device";
import type { Declaration } from "../settings/declaration";
import { type Problem, problemsOf } from "../settings/schema";
import { type DeviceKind, differingKeys, fromDevice, omit, pick, type Values } from "../settings/setting";
import { verify } from "../settings/verification";
import type { Call } from "./call";
import { notImported } from "./messages";
import { type Read, readExisting } from "./read";
import { reconcile } from "./reconcile";
import {
  acceptedValues,
  fromId,
  fromInputs,
  fromOutputs,
  type Properties,
  type State,
  toId,
  toInputs,
  toOutputs,
} from "./state";

/**
 * Adopts a device, which exists already: keeps what its declared keys are now as the baseline and sends those that differ.
 * @throws Error when the service does not know the device, or it is of another type
 */
export async function create(call: Call, inputs: Properties): Promise<{ id: string; outputs: Properties }> {
  const declared = fromInputs(call.kind, inputs);
  const state = adopt(call, declared, await readExisting(call, declared));
  const sent = unsent(state, declared.values);
  if (Object.keys(sent).length > 0) {
    await call.journal?.record([{ device: declared, baseline: state.baseline, sent }], call.claims.anyUrn);
  }
  return { id: toId(declared), outputs: toOutputs(await reconcile(call, state, declared)) };
}

/**
 * The state of a device before anything is sent to it. What the device was before an earlier run wrote to it, which was
 * killed before the engine could save, is in the journal; what it was before another resource managed it, that one knows.
 */
export function adopt(call: Call, declared: Declaration, device: Device): State {
  const reported = fromDevice(call.kind, device);
  const values = pick(reported, Object.keys(declared.values));
  return {
    ...declared,
    values,
    reported,
    baseline: call.handover.take(declared, values) ?? call.journal?.recall(declared, values) ?? values,
    written: {},
    attempted: {},
    verification: verify(values, reported),
  };
}

/**
 * Takes a device into a stack as it is: all that is reported, and that a program may declare, counts as declared and
 * accepted, so that a program which declares it changes nothing.
 */
export async function importDevice(call: Call, id: string): Promise<Read> {
  const device = fromId(id);
  const found = await readExisting(call, device);
  const reported = fromDevice(call.kind, found);
  const refused = refusedIn(call.kind, { ...device, ...reported });
  for (const { property, reason } of refused) await call.warn(notImported(device, property, reason));
  const values = omit(
    reported,
    refused.map(({ property }) => property),
  );
  const state = adopt(call, { ...device, values }, found);
  return { id: toId(device), inputs: toInputs(state), outputs: toOutputs(state) };
}

/** What the check would refuse of a device's values. One can be wrong only beside another that is wrong itself. */
function refusedIn(kind: DeviceKind, inputs: Properties): Problem[] {
  const problems = problemsOf(kind, inputs, new Set()).filter(({ property }) => property in inputs);
  if (problems.length === 0) return [];
  const others = omit(
    inputs,
    problems.map(({ property }) => property),
  );
  return [...problems, ...refusedIn(kind, others)];
}

/** The declared values that the service is not known to have accepted. */
export function unsent(state: State, declared: Values): Values {
  return pick(declared, differingKeys(declared, acceptedValues(state)));
}

/** Sends the declared keys that changed; the value of a key that is no longer declared stays, and is not managed. */
export async function update(call: Call, olds: Properties, news: Properties): Promise<Properties> {
  const before = fromOutputs(call.kind, olds);
  return toOutputs(await reconcile(call, before, fromInputs(call.kind, news)));
}
