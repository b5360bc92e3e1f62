import { gapsBeforePolicy } from "../settings/readiness";
import { differingKeys, omit } from "../settings/setting";
import { asMember, labelOf, type SiteDevice } from "../settings/site";
import { ChargePolicy } from "../settings/vehicle";
import type { Handover } from "./handover";
import { UNKNOWN } from "./program";
import {
  deviceKey,
  fromSiteInputs,
  fromSiteOutputs,
  hasUnknownParts,
  type KeptDevice,
  type SiteDeclaration,
  type SiteState,
} from "./siteState";
import { acceptedValues, type Properties } from "./state";

export interface SiteDifference {
  readonly changes: boolean;
  /** A line for each device that changes: `inverter/roof: azimuth 202.5 → 22.5, baseLoad 400 → unmanaged`. */
  readonly words: readonly string[];
}

/**
 * Compares what a site declares with what is kept of it, without a request.
 * @param handover gets the devices that leave the site
 */
export function diffSite(olds: Properties, news: Properties, handover?: Handover): SiteDifference {
  const before = fromSiteOutputs(olds);
  const declaration = fromSiteInputs(news);
  const kept = new Map(before.devices.map((one) => [deviceKey(one.role.group, one.state), one]));
  const goalOf = goals(declaration, before);
  const words = declaration.devices.flatMap((device) => {
    const known = kept.get(deviceKey(device.group, device));
    kept.delete(deviceKey(device.group, device));
    const changes = changesOf(device, known, goalOf(device));
    return changes.length > 0 ? [`${labelOf(device)}: ${changes.join(", ")}`] : [];
  });
  for (const { role, state } of kept.values()) if (!role.observe) handover?.offer(state);
  const leaving = [...kept.values()].map(({ role, state }) =>
    role.observe ? `${labelOf(role)}: no longer observed` : `${labelOf(role)}: leaves (${state.onDelete ?? "retain"})`,
  );
  const isMoved = before.solar !== declaration.solar || before.latitude !== declaration.latitude;
  const all = [...words, ...leaving];
  return { changes: all.length > 0 || isMoved || hasUnknownParts(news), words: all };
}

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

function changesOf(device: SiteDevice, known: KeptDevice | undefined, goal: SiteDevice): string[] {
  const isNew = !known || known.role.observe !== device.observe;
  if (isNew) {
    const values = Object.entries(device.values).map(([key, value]) => `${key} ${shown(value)}`);
    return device.observe ? ["new, only observed"] : [["new", ...values].join(" ")];
  }
  if (device.observe) return nameChange(device, known);
  const { state } = known;
  const accepted = acceptedValues(state);
  const held = goal === device ? [] : ["policy"];
  return [
    ...nameChange(device, known),
    ...differingKeys(goal.values, accepted).map(
      (key) => `${key} ${shown(accepted[key] ?? state.reported[key])} → ${shown(goal.values[key])}`,
    ),
    ...Object.keys(state.values)
      .filter((key) => !(key in goal.values) && !held.includes(key))
      .map((key) => `${key} ${shown(state.values[key])} → unmanaged`),
    ...((state.onDelete ?? "retain") === (device.onDelete ?? "retain")
      ? []
      : [`onDelete ${state.onDelete ?? "retain"} → ${device.onDelete ?? "retain"}`]),
    ...(known.role.policyFromSite === device.policyFromSite || held.length > 0 ? [] : ["policy by the site"]),
  ];
}

/** A device that is called otherwise now: nothing is sent, and its baseline stays. */
function nameChange(device: SiteDevice, { role }: KeptDevice): string[] {
  return role.name === device.name ? [] : [`was ${labelOf(role)}`];
}

function shown(value: unknown): string {
  if (value === undefined) return "(not reported)";
  return value === UNKNOWN ? "(known after the update)" : String(value);
}
