import type { Store } from "../ledger/store";
import type { Declaration } from "../settings/declaration";
import { kindOf } from "../settings/groups";
import { defined, type Properties, pick } from "../settings/objects";
import { declaredSite, PLANNED_KEYS, planSite } from "../settings/planSite";
import { type DeviceKind, keysOf, type Value, type Values } from "../settings/setting";
import type { DeclaredDevice } from "../settings/site";
import { asReported, readState } from "./device/apply";
import { withBaselines } from "./device/baselines";
import { refreshed } from "./device/read";
import { isManaged, type Known } from "./device/record";
import { type State, toOutputs } from "./device/state";
import { readOf } from "./deviceOperations";
import type { Read } from "./operations";
import { toId } from "./run/ids";
import { declarationOf, declaredAlone, storedOf, toSiteOutputs } from "./site/state";

/** The facts about a device whose resource has no state: its reported values, and its state in another stack. */
interface Remains {
  readonly reported: Values;
  readonly kept?: State | undefined;
}

function recoveredState(store: Store, kind: DeviceKind, declared: Declaration, { reported, kept }: Remains): State {
  const known = kept && { ...kept, settings: refreshed(kept, reported, keysOf(kind)) };
  const { settings } = readState(store, known, declared, reported);
  const { values, ...options } = declared;
  const unseen = Object.entries(values).flatMap(([key, value]): [string, Known][] => {
    const ofJournal = store.baselines(declared, key);
    if (settings[key] || !ofJournal.has(value)) return [];
    return [[key, { status: "notReported", value, ...defined({ baseline: ofJournal.get(value) }) }]];
  });
  return withBaselines(store, { ...options, settings: { ...settings, ...Object.fromEntries(unseen) } });
}

/** A resource without state. */
interface Lost {
  /** The kind of the device; undefined for a site. */
  readonly kind: DeviceKind | undefined;
  readonly name: string;
  readonly inputs: Properties;
}

type RemainsOf = (device: DeclaredDevice) => Remains | undefined;

/**
 * The state of a resource, as if the provider had applied the present values of its devices. Baselines come from a
 * device's state in another stack, otherwise from the journal, otherwise from the present values. A setting that is not
 * reported counts as applied if the journal has it. Undefined if no device could be read.
 * @param remainsOf returns undefined for a device that could not be read: the next update of its site adopts it
 */
export function recover(store: Store, { kind, name, inputs }: Lost, remainsOf: RemainsOf): Read | undefined {
  if (!kind) return recoverSite(store, name, inputs, remainsOf);
  const declared = declaredAlone(kind, name, inputs);
  const remains = remainsOf(declared);
  if (!remains) return undefined;
  const state = recoveredState(store, kind, declarationOf(declared), remains);
  return { id: toId(state), inputs, outputs: toOutputs(state) };
}

function recoverSite(store: Store, name: string, inputs: Properties, remainsOf: RemainsOf): Read | undefined {
  const site = declaredSite(inputs);
  const { devices: planned } = planSite(site, {
    reported: (device) => remainsOf(device)?.reported,
    policy: (car) => recoveredPolicy(store, car, remainsOf(car)),
  });
  const devices = planned.flatMap((device) => {
    const remains = remainsOf(device);
    if (!remains) return [];
    const known = device.observe ? { reported: remains.reported } : remains;
    return storedOf(device, recoveredState(store, kindOf(device), declarationOf(device), known));
  });
  if (devices.length === 0) return undefined;
  const outputs = toSiteOutputs({ options: site.options, devices, openGaps: [] });
  return { id: name, inputs: { ...inputs, ...pick<unknown>(outputs, PLANNED_KEYS) }, outputs };
}

/** A device that no program declares yet, as an import would read it. */
export async function recoverReported(...device: Parameters<typeof asReported>): Promise<Read> {
  return readOf(await asReported(...device));
}

/** The policy that the site has given a car, according to its state or the journal. */
function recoveredPolicy(store: Store, car: DeclaredDevice, remains: Remains | undefined): Value | undefined {
  const policy = remains?.reported.policy;
  const isOurs = isManaged(remains?.kept?.settings.policy) || store.baselines(car, "policy").has(policy as Value);
  return isOurs ? policy : undefined;
}
