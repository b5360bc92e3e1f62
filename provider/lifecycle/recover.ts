import type { Store } from "../ledger/store";
import type { DeviceRef } from "../service/device";
import type { Declaration } from "../settings/declaration";
import { kindOf } from "../settings/groups";
import { defined, type Properties, pick } from "../settings/objects";
import { declaredSite, PLANNED_KEYS, planSite } from "../settings/planSite";
import { type DeviceKind, keysOf, type Value, type Values } from "../settings/setting";
import type { SiteDevice } from "../settings/site";
import { asReported, readState } from "./device/apply";
import { withBaselines } from "./device/baselines";
import { refreshed } from "./device/read";
import { isManaged, type Known } from "./device/record";
import { fromInputs, type State, toOutputs } from "./device/state";
import { readOf } from "./deviceOperations";
import type { Read } from "./operations";
import { toId } from "./run/ids";
import { declarationOf, storedOf, toSiteOutputs } from "./site/state";

/** The facts about a device whose resource has no state: its reported values, and its state in another stack. */
interface Remains {
  readonly reported: Values;
  readonly kept?: State | undefined;
}

/**
 * The state of a declared device, as if the provider had applied its present values. Baselines come from its state in
 * another stack, otherwise from the journal, otherwise from the present values. A setting that is not reported counts
 * as applied if the journal has it. Undefined if the device could not be read.
 */
export function recoverDevice(
  store: Store,
  kind: DeviceKind,
  inputs: Properties,
  remainsOf: (device: DeviceRef) => Remains | undefined,
): Read | undefined {
  const declared = fromInputs(kind, inputs);
  const remains = remainsOf(declared);
  if (!remains) return undefined;
  return { id: toId(declared), inputs, outputs: toOutputs(recoveredState(store, kind, declared, remains)) };
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

/**
 * The state of a site, as if the provider had applied the present values of its devices. Undefined if it has none.
 * @param remainsOf returns undefined for a device that could not be read: the next update adopts it
 */
export function recoverSite(
  store: Store,
  name: string,
  inputs: Properties,
  remainsOf: (device: SiteDevice) => Remains | undefined,
): Read | undefined {
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
function recoveredPolicy(store: Store, car: SiteDevice, remains: Remains | undefined): Value | undefined {
  const policy = remains?.reported.policy;
  const isOurs = isManaged(remains?.kept?.settings.policy) || store.baselines(car, "policy").has(policy as Value);
  return isOurs ? policy : undefined;
}
