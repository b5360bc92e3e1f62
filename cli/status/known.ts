import type { KeptDevice, Role, SiteState } from "../../provider/lifecycle/siteModel";
import { fromSiteInputs, fromSiteOutputs } from "../../provider/lifecycle/siteState";
import { fromInputs, fromOutputs, type State } from "../../provider/lifecycle/state";
import { isSolar, type Member, membersOf, type Site } from "../../provider/manifest/model";
import { keysOf, pick, type Values } from "../../provider/settings/setting";
import { GROUP_NAMES, type Group, kindOf, labelOf } from "../../provider/settings/site";
import type { ExportedResource } from "./exported";
import { type Lints, lintsOf } from "./lints";
import type { SiteStatus } from "./model";

/** One device as it is declared, and as its stack keeps it. */
export interface KnownDevice {
  readonly role: Role;
  /** Absent if neither the manifest nor the configuration names it. */
  readonly businessId?: string;
  readonly deviceId: string;
  readonly declared: Values;
  /** Absent if no update has applied it. */
  readonly state?: State;
  readonly secret: readonly string[];
  readonly lints: readonly string[];
}

/** One site as it is declared, and as its stack keeps it. */
export interface KnownSite extends Pick<SiteStatus, "site" | "stack" | "solar" | "latitude" | "change" | "lints"> {
  readonly devices: readonly KnownDevice[];
  /** Absent if no update has applied it. */
  readonly state?: SiteState;
}

/** A site as the state of a stack has it. */
export function siteInState(stack: string, { inputs, outputs, secrets }: ExportedResource): KnownSite {
  const state = fromSiteOutputs(outputs);
  const kept = new Map(state.devices.map((one) => [labelOf(one.role), one]));
  const declared = fromSiteInputs(inputs).devices.map((device): KnownDevice => {
    const { group, name, observe, policyFromSite, businessId, deviceId, values } = device;
    const role = { group, name, observe, policyFromSite };
    const own = stateOf(kept.get(labelOf(role)), role, { businessId, deviceId });
    const secret = secretKeys(secrets, group, [group, name]);
    const all = own ? { ...pick(own.values, secret), ...asDeclared(values, own) } : values;
    return { role, businessId, deviceId, declared: all, ...(own && { state: own }), secret, lints: [] };
  });
  const { site, solar, latitude } = state;
  const groups = GROUP_NAMES.filter((group) => secrets.some(([first]) => first === group));
  const hidden = state.devices.filter(
    ({ role }) => groups.includes(role.group) && !declared.some((one) => labelOf(one.role) === labelOf(role)),
  );
  const devices = [...declared, ...hidden.map((one) => hiddenDevice(one))];
  return { site, stack, solar, ...(latitude !== undefined && { latitude }), devices, state, lints: [] };
}

/** A device whose declaration is a secret as a whole. */
function hiddenDevice({ role, state }: KeptDevice): KnownDevice {
  const { businessId, deviceId } = state;
  const declared = asDeclared(state.values, state);
  return { role, businessId, deviceId, declared, state, secret: keysOf(kindOf(role)), lints: [] };
}

/** A device that a resource of its own declares. */
export function deviceInState({ kind, name, inputs, outputs, secrets }: ExportedResource): KnownDevice {
  const group: Group = kind === "vehicle" ? "vehicles" : "inverters";
  const role = { group, name, observe: false, policyFromSite: false };
  const state = fromOutputs(kindOf(role), outputs);
  const { businessId, deviceId, values } = fromInputs(kindOf(role), { ...outputs, ...inputs });
  const secret = secretKeys(secrets, group, []);
  const declared = { ...pick(state.values, secret), ...asDeclared(pick(values, Object.keys(inputs)), state) };
  return { role, businessId, deviceId, declared, state, secret, lints: [] };
}

/**
 * A site as the manifest declares it, with what its stack keeps.
 * @param business that of the devices which do not say theirs
 */
export function siteInManifest(
  stack: string,
  site: Site,
  resource: ExportedResource | undefined,
  business: string | undefined,
): KnownSite {
  const inState = resource && siteInState(stack, resource);
  const lints = lintsOf(site);
  const kept = new Map(inState?.devices.map((device) => [labelOf(device.role), device]));
  const devices = membersOf(site).map((member) => deviceInManifest(member, kept.get(labelOf(member)), lints, business));
  return {
    site: site.id,
    stack,
    solar: isSolar(site),
    ...(site.latitude !== undefined && { latitude: site.latitude }),
    devices,
    ...(inState?.state ? { state: inState.state } : { change: "new" as const }),
    lints: lints.ofSite,
  };
}

function deviceInManifest(
  { group, name, deviceId, businessId = "", observe, values }: Member,
  kept: KnownDevice | undefined,
  lints: Lints,
  business = "",
): KnownDevice {
  const ref = { businessId: businessId || business, deviceId };
  const isSame = kept?.deviceId === deviceId && kept.businessId === ref.businessId && kept.role.observe === observe;
  const ofSite = isSame && kept.role.policyFromSite && values.policy === undefined;
  const role = { group, name, observe, policyFromSite: ofSite };
  return {
    role,
    deviceId,
    ...(ref.businessId !== "" && { businessId: ref.businessId }),
    declared: ofSite ? { ...values, ...pick(kept.declared, ["policy"]) } : values,
    ...(isSame && kept.state && { state: kept.state }),
    secret: [],
    lints: lints.ofDevices.get(labelOf(role)) ?? [],
  };
}

/** The state of a device, if it is still the same one in the same role. */
function stateOf(
  kept: KeptDevice | undefined,
  role: Role,
  { businessId, deviceId }: { readonly businessId: string; readonly deviceId: string },
): State | undefined {
  const isSame = kept?.state.deviceId === deviceId && kept.state.businessId === businessId;
  return isSame && kept.role.observe === role.observe ? kept.state : undefined;
}

/**
 * The declared values. A refresh has put what somebody else set in their place, in inputs and outputs; what we wrote is kept
 * beside it.
 */
function asDeclared(values: Values, { values: kept, written, attempted }: State): Values {
  const entries = Object.entries(values).map(([key, value]) =>
    value === kept[key] ? [key, attempted[key]?.at(-1) ?? written[key] ?? value] : [key, value],
  );
  return Object.fromEntries(entries);
}

/** The settings of a device that the program declares as secrets. @param path the way to the device in the inputs */
function secretKeys(secrets: ExportedResource["secrets"], group: Group, path: readonly string[]): string[] {
  const keys = keysOf(kindOf({ group }));
  const isAt = (secret: readonly string[], way: readonly string[]) =>
    secret.every((part, index) => part === way[index]);
  return keys.filter((key) => secrets.some((secret) => isAt(secret, [...path, key])));
}
