import type { Store } from "../../ledger/store";
import { keepsDrift } from "../../settings/declaration";
import { kindOf, labelOf } from "../../settings/groups";
import { planSite, type SiteKnowledge } from "../../settings/planSite";
import type { Gap } from "../../settings/readiness";
import { isObject, keysOf, omit, type Value, type Values } from "../../settings/setting";
import { asMember, SITE_OPTIONS, type SiteDeclaration, type SiteDevice } from "../../settings/site";
import { ChargePolicy } from "../../settings/vehicle";
import { asRestored, releasedSettings } from "../device/baselines";
import { optionChanges, valueChanges } from "../device/diff";
import { type Known, managedIn, type Records, reportedOf, valuesBy } from "../device/record";
import { type Properties, stateUnder, valuesOf } from "../device/state";
import { type Change, type Difference, isIdUnknown } from "../run/changes";
import { type Context, UNKNOWN } from "../run/context";
import { deviceKey, type KeptDevice, keptKey, type SiteState, siteUnder } from "./state";

/**
 * Compares a site's declarations with its kept state, without a request.
 * @param live the result of a live preview
 * @param store remembers the devices that leave the site
 */
export function diffSite(
  before: SiteState,
  declared: SiteDeclaration,
  live: Context["live"] = {},
  store?: Store,
): Difference {
  const kept = new Map(
    siteUnder(before, declared.devices).devices.map((one) => [
      keptKey(one),
      store ? { ...one, state: asRestored(store, one.state) } : one,
    ]),
  );
  const { devices } = planSite(declared, {
    ...knowledgeOf((device) => kept.get(deviceKey(device))),
    isOther: (device) => "problem" in (live[labelOf(device)] ?? {}),
  });
  const ofDevices = devices.flatMap((device): Change[] => {
    const known = kept.get(deviceKey(device));
    kept.delete(deviceKey(device));
    return known ? changesOfDevice(device, known) : [{ kind: "new", device }];
  });
  // While a whole group is unknown, none of its devices counts as leaving. Nor does one whose id is unknown: it is
  // probably the device that has its name.
  const unknownIds = new Set(devices.filter(isIdUnknown).map(labelOf));
  const leaving = [...kept.values()].filter(
    ({ role }) => !declared.unknownGroups.includes(role.group) && !unknownIds.has(labelOf(role)),
  );
  for (const { state } of leaving) store?.planRelease(state, releasedSettings(state.settings));
  const gone = leaving.map(({ role, state }): Change => {
    return { kind: "leaves", device: role, onDelete: role.observe ? "observed" : (state.onDelete ?? "retain") };
  });
  const unknown = declared.unknownGroups.map((key): Change => ({ kind: "value", key, after: UNKNOWN }));
  const ofSite = [...optionChanges(before.options, declared.options, SITE_OPTIONS), ...unknown];
  return { changes: [...ofDevices, ...gone, ...ofSite], replaces: [] };
}

/** The facts in a site's state that its plan needs. @param keptOf finds the kept device of a declared one */
export function knowledgeOf(keptOf: (device: SiteDevice) => KeptDevice | undefined): SiteKnowledge {
  return {
    reported: (device) => reportedBy(keptOf(device), device),
    kept: (device) => keptValuesOf(keptOf(device), device),
    policy: (car) => policyOf(keptOf(car)),
  };
}

/** Somebody else's values that an update leaves, because the program keeps them and its declaration has not changed. */
function keptValuesOf(kept: KeptDevice | undefined, device: SiteDevice): Values {
  const records = kept ? managedIn(stateUnder(kept.state, device).settings) : [];
  return Object.fromEntries(
    records.flatMap(([key, record]) => {
      const isSame = (device.values[key] ?? record.value) === record.value;
      return record.status === "kept" && isSame ? [[key, record.reported]] : [];
    }),
  );
}

/**
 * The gaps of cars whose policy somebody else set, and the program keeps. A check does not see state, so it counts the
 * declared policy. Without these gaps, each preview would say that the site becomes ready.
 * @param outputs of the site before the update
 */
export function keptPolicyGaps(outputs: Properties, declared: readonly SiteDevice[]): Gap[] {
  const devices = isObject(outputs.devices) ? outputs.devices : {};
  return declared.flatMap((device): Gap[] => {
    const { settings } = (devices[labelOf(device)] ?? {}) as { readonly settings?: Records };
    const record = settings?.policy;
    const isLeftOut = device.observe || asMember(device, device.values).isLeftOut;
    if (record?.status !== "kept" || isLeftOut || !keepsDrift(device, "policy")) return [];
    const isOther = record.reported !== ChargePolicy.ChargeByForecast;
    return isOther ? [{ device: labelOf(device), setting: "policy", reason: "otherPolicy" }] : [];
  });
}

/** The last reported values of a device; undefined if it was never read in this role. */
export function reportedBy(kept: KeptDevice | undefined, { observe }: SiteDevice): Values | undefined {
  return kept?.role.observe === observe ? valuesBy(kept.state.settings, reportedOf) : undefined;
}

/** The policy that a site has given a car. */
export function policyOf(kept: KeptDevice | undefined) {
  return kept?.role.policyFromSite ? valuesOf(kept.state).policy : undefined;
}

function changesOfDevice(device: SiteDevice, { role, given, state }: KeptDevice): Change[] {
  const { observe, values } = device;
  const renamed: Change[] = role.name === device.name ? [] : [{ kind: "renamed", device, from: role }];
  const settings = [...keysOf(kindOf(device)), "observe"];
  const [old, next] = [omit<unknown>({ ...given }, settings), omit<unknown>(device.given, settings)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  const options = optionChanges(old, next, keys, device);
  const held = device.isPolicyHeld ? ["policy"] : [];
  const changed = valueChanges(omit<Known>(state.settings, held), omit<Value>(values, held), device);
  if (role.observe !== observe) {
    const flag: Change = { kind: "value", device, key: "observe", before: role.observe, after: observe };
    return [...renamed, flag, ...changed, ...options];
  }
  // Report a new owner of the policy only if its value is unchanged.
  const isPolicySame = !changed.some((change) => change.kind === "value" && change.key === "policy");
  const isMoved = isPolicySame && role.policyFromSite !== device.policyFromSite;
  const owner: Change[] = isMoved ? [{ kind: "policyOwner", device, isSite: device.policyFromSite }] : [];
  return [...renamed, ...changed, ...owner, ...options];
}
