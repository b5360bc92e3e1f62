import type { Store } from "../../ledger/store";
import { kindOf, labelOf } from "../../settings/groups";
import { omit, pick, UNKNOWN } from "../../settings/objects";
import { planSite } from "../../settings/planSite";
import { keysOf, type Value, type Values } from "../../settings/setting";
import { type DeclaredDevice, SITE_OPTIONS, type SiteDeclaration } from "../../settings/site";
import { ChargePolicy } from "../../settings/vehicle";
import { readState } from "../device/apply";
import { asRestored, withBaselines } from "../device/baselines";
import { ID_KEYS, optionChanges, valueChanges } from "../device/diff";
import { isKept, type Known, reportedIn, unsent } from "../device/record";
import { type State, stateUnder, valuesOf } from "../device/state";
import { type Change, isIdUnknown } from "../run/changes";
import type { Context } from "../run/context";
import { declarationOf, deviceKey, plannedInputs, type SitePlan, type SiteState, type StoredDevice } from "./state";

/** The facts for a plan that are in neither the declarations nor the state. */
export interface PlanFacts {
  readonly store: Store;
  /** Whether the plan is carried out, and needs the first baselines. Their source can be a large ledger. */
  readonly isUpdate?: boolean;
  /** The results of a live preview, by label. */
  readonly live?: Context["live"];
  /** By label, the values of devices that were read for the update; undefined if a read failed. */
  readonly read?: ReadonlyMap<string, Values | undefined>;
}

/** A declared device with its policy from its site, and the effect of an update on it. */
export interface PlannedDevice extends DeclaredDevice {
  /** The device before the update, under the `onDrift` that the program declares now. Undefined if it is new. */
  readonly before: StoredDevice | undefined;
  /**
   * Its state before the update, if it was observed, or managed, as it is now. Otherwise it is adopted: a device that was
   * only observed has no baseline.
   */
  readonly known: State | undefined;
  /** The same with the values of a read; undefined if it has to be read first. */
  readonly state: State | undefined;
  /** Its reported values, now or at the last read. */
  readonly reported: Values | undefined;
  /** The values that the service is not known to have. */
  readonly send: Values;
  /** The values that are sent only if a read, or another device's update, closes the gaps that they wait for. */
  readonly open: Values;
}

/** The effect of an update on devices. */
export interface DevicesPlan {
  readonly devices: readonly PlannedDevice[];
  /** The devices that are no longer declared. */
  readonly leaving: readonly StoredDevice[];
}

/** All that one update of a site will do. Check, diff, approval and update read it, so that they agree. */
export interface Plan extends DevicesPlan, Omit<SitePlan, "devices"> {
  /** Undefined for a new site. */
  readonly before: SiteState | undefined;
  readonly declared: SiteDeclaration;
  /** Whether the site is ready after the update; undefined if only a read, or the update, can tell. */
  readonly ready: boolean | undefined;
}

/** Works out an update of a site, without a request. It is worked out once for a call, and again after reads. */
export function planOf(before: SiteState | undefined, declared: SiteDeclaration, facts: PlanFacts): Plan {
  const stored = storedUnder(before?.devices ?? [], declared.devices, facts);
  const of = (device: DeclaredDevice) => stored.own.get(labelOf(device));
  const { devices, ...site } = planSite(declared, {
    reported: (device) => reportedBy(device, of(device), facts),
    kept: (device) => {
      const policy = of(device)?.settings.policy;
      return isKept(policy) ? { policy: policy.reported } : {};
    },
    // The policy that the site has given the car.
    policy: (car) => {
      const before = of(car);
      return before?.policyFromSite ? valuesOf(before).policy : undefined;
    },
    isOther: (device) => facts.live?.[labelOf(device)]?.problem !== undefined,
  });
  const unknown = new Set(devices.filter(isIdUnknown).map(labelOf));
  const isOpen = declared.unknownGroups.length > 0 || (declared.options.solar as unknown) === UNKNOWN;
  const { ready } = plannedInputs(site, { isOpen });
  return {
    ...{ ...site, before, declared, ready: ready as boolean | undefined },
    devices: devices.map((device) => plannedDevice(device, of(device), facts)),
    // While a whole group is unknown, none of its devices counts as leaving. Nor does one whose id is unknown: it is
    // probably the device that has its name.
    leaving: stored.leaving.filter(
      (stored) => !declared.unknownGroups.includes(stored.group) && !unknown.has(labelOf(stored)),
    ),
  };
}

/** Works out an update of devices with resources of their own. */
export function planDevices(
  before: readonly StoredDevice[],
  declared: readonly DeclaredDevice[],
  facts: PlanFacts,
): DevicesPlan {
  const { own, leaving } = storedUnder(before, declared, facts);
  return { devices: declared.map((device) => plannedDevice(device, own.get(labelOf(device)), facts)), leaving };
}

/**
 * The devices before an update: those that are declared, by their labels now, and those that leave. They are found by
 * their identity, so that a renamed device keeps its baseline.
 */
function storedUnder(
  before: readonly StoredDevice[],
  declared: readonly DeclaredDevice[],
  { store, isUpdate }: PlanFacts,
) {
  const known = (stored: StoredDevice) => (isUpdate ? withBaselines : asRestored)(store, stored);
  const left = new Map(before.map((stored) => [deviceKey(stored), stored]));
  const own = new Map<string, StoredDevice>();
  for (const device of declared) {
    const key = deviceKey(device);
    const stored = left.get(key);
    left.delete(key);
    if (stored) own.set(labelOf(device), known(stateUnder(stored, device)));
  }
  return { own, leaving: [...left.values()].map(known) };
}

function plannedDevice(device: DeclaredDevice, before: StoredDevice | undefined, facts: PlanFacts): PlannedDevice {
  const { values, isPolicyHeld, isPolicyOpen } = device;
  const known = inRole(device, before);
  const found = facts.read?.get(labelOf(device));
  const state = found
    ? readState(facts.store, device.observe ? undefined : known, declarationOf(device), found)
    : known;
  const unknown = device.observe ? {} : unsent(state?.settings ?? {}, values);
  const held = isPolicyHeld ? ["policy"] : [];
  return {
    ...{ ...device, before, known, state },
    reported: reportedBy(device, before, facts),
    send: omit<Value>(unknown, held),
    open: isPolicyOpen ? { policy: ChargePolicy.ChargeByForecast } : pick<Value>(unknown, held),
  };
}

/** The device before an update, if it was observed, or managed, as it is now. */
function inRole({ observe }: DeclaredDevice, stored: StoredDevice | undefined): StoredDevice | undefined {
  return stored?.observe === observe ? stored : undefined;
}

/**
 * The reported values of a device. If state has it in this role, those read now, or else the last known ones. Otherwise
 * those read now, which are empty if the read failed, or those of a live preview.
 */
function reportedBy(
  device: DeclaredDevice,
  stored: StoredDevice | undefined,
  { read, live }: PlanFacts,
): Values | undefined {
  const label = labelOf(device);
  const last = inRole(device, stored);
  if (last) return read?.get(label) ?? reportedIn(last.settings);
  return read?.has(label) ? (read.get(label) ?? {}) : live?.[label]?.values;
}

/** The changes of an update, for its preview. */
export function changesIn({ before, declared, devices, leaving }: Plan): Change[] {
  const ofDevices = devices.flatMap((device): Change[] => {
    if (device.before) return changesOfDevice(device, device.before);
    const earlier = before?.devices.find((one) => labelOf(one) === labelOf(device)) ?? device;
    return [...optionChanges(earlier, device, ID_KEYS, device), { kind: "new", device }];
  });
  if (!before) return ofDevices;
  const gone = leaving.map((device): Change => {
    return { kind: "leaves", device, onDelete: device.observe ? "observed" : (device.onDelete ?? "retain") };
  });
  const unknown = declared.unknownGroups.map((key): Change => ({ kind: "value", key, after: UNKNOWN }));
  const ofSite = [...optionChanges(before.options, declared.options, SITE_OPTIONS), ...unknown];
  return [...ofDevices, ...gone, ...ofSite];
}

function changesOfDevice(device: DeclaredDevice, stored: StoredDevice): Change[] {
  const { observe, values } = device;
  const renamed: Change[] = stored.name === device.name ? [] : [{ kind: "renamed", device, from: stored }];
  const settings = [...keysOf(kindOf(device)), "observe"];
  const [old, next] = [omit<unknown>(stored.given, settings), omit<unknown>(device.given, settings)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  const options = optionChanges(old, next, keys, device);
  const held = device.isPolicyHeld ? ["policy"] : [];
  const changed = valueChanges(omit<Known>(stored.settings, held), omit<Value>(values, held), device);
  if (stored.observe !== observe) {
    const flag: Change = { kind: "value", device, key: "observe", before: stored.observe, after: observe };
    return [...renamed, flag, ...changed, ...options];
  }
  // Report a new owner of the policy only if its value is unchanged.
  const isPolicySame = !changed.some(({ key }) => key === "policy");
  const isMoved = isPolicySame && stored.policyFromSite !== device.policyFromSite;
  const owner: Change[] = isMoved ? [{ kind: "policyOwner", device, isSite: device.policyFromSite }] : [];
  return [...renamed, ...changed, ...owner, ...options];
}
