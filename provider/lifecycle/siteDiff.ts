import { gapsBeforePolicy } from "../settings/readiness";
import { omit } from "../settings/setting";
import { asMember, GROUP_NAMES, labelOf, type SiteDevice } from "../settings/site";
import { ChargePolicy } from "../settings/vehicle";
import type { Change, Difference } from "./changes";
import { valueChanges } from "./diff";
import type { Handover } from "./handover";
import { UNKNOWN } from "./program";
import type { KeptDevice, SiteDeclaration, SiteState } from "./siteModel";
import { deviceKey, fromSiteInputs, fromSiteOutputs } from "./siteState";
import type { Properties } from "./state";

/**
 * Compares what a site declares with what is kept of it, without a request.
 * @param handover gets the devices that leave the site
 */
export function diffSite(olds: Properties, news: Properties, handover?: Handover): Difference {
  const before = fromSiteOutputs(olds);
  const declaration = fromSiteInputs(news);
  const kept = new Map(before.devices.map((one) => [deviceKey(one.role.group, one.state), one]));
  const goalOf = goals(declaration, before);
  const ofDevices = declaration.devices.flatMap((device): Change[] => {
    const known = kept.get(deviceKey(device.group, device));
    kept.delete(deviceKey(device.group, device));
    return known ? changesOf(device, known, goalOf(device)) : [{ kind: "new", device }];
  });
  // Of vehicles that are all not known yet, none is known to leave.
  const leaving = [...kept.values()].filter(({ role }) => news[role.group] !== UNKNOWN);
  for (const { role, state } of leaving) if (!role.observe) handover?.offer(state);
  const gone = leaving.map(({ role, state }): Change => {
    return { kind: "leaves", device: role, onDelete: role.observe ? "observed" : (state.onDelete ?? "retain") };
  });
  return { changes: [...ofDevices, ...gone, ...changesOfSite(before, declaration, news)], replaces: [] };
}

/** What changes of the site as a whole. What is not known yet may change. */
function changesOfSite(before: SiteState, { solar, latitude }: SiteDeclaration, news: Properties): Change[] {
  const unknown = Object.entries(news).filter(([key, value]) => SITE_PARTS.includes(key) && value === UNKNOWN);
  const after = { solar, latitude, ...Object.fromEntries(unknown) };
  const known: Properties = { ...before };
  return Object.entries(after).flatMap(([key, value]): Change[] =>
    value === known[key] ? [] : [{ kind: "value", key, before: known[key], after: value }],
  );
}

/** What the inputs of a site have beside what follows from them. */
const SITE_PARTS: readonly string[] = [...GROUP_NAMES, "solar", "latitude"];

/**
 * Gives what an update will declare of a device: not the policy, if an observed inverter lacks a value. Without this,
 * such a site would show a change in every preview that no update makes.
 */
function goals({ devices, solar }: SiteDeclaration, before: SiteState): (device: SiteDevice) => SiteDevice {
  const observed = before.devices.filter(({ role }) => role.observe);
  const reported = new Map(observed.map(({ role, state }) => [labelOf(role), state.reported]));
  const members = devices.map((device) => asMember(device, device.values));
  const gapsOfCar = gapsBeforePolicy(members, solar, ({ label, observe, declared }) =>
    observe ? reported.get(label) : declared,
  );
  return (device) => {
    if (!device.policyFromSite || device.values.policy !== ChargePolicy.ChargeByForecast) return device;
    const isHeld = gapsOfCar(asMember(device, device.values)).length > 0;
    return isHeld ? { ...device, values: omit(device.values, ["policy"]) } : device;
  };
}

function changesOf(device: SiteDevice, { role, state }: KeptDevice, goal: SiteDevice): Change[] {
  const renamed: Change[] = role.name === device.name ? [] : [{ kind: "renamed", device, from: role }];
  const flag = (key: "observe" | "policyFromSite"): Change[] =>
    role[key] === device[key] ? [] : [{ kind: "value", device, key, before: role[key], after: device[key] }];
  if (role.observe && device.observe) return renamed;
  if (role.observe !== device.observe)
    return [...renamed, ...flag("observe"), ...valueChanges(state, goal, { device })];
  const held = goal === device ? [] : ["policy"];
  const values = valueChanges(state, goal, { device, held });
  // Who declares the policy is said if the policy itself is the same.
  const isPolicySame =
    held.length === 0 && !values.some((change) => change.kind === "value" && change.key === "policy");
  return [...renamed, ...values, ...(isPolicySame ? flag("policyFromSite") : [])];
}
