import { isManaged, oursOf } from "../../provider/lifecycle/device/record";
import { fromInputs, fromOutputs, type State, valuesOf } from "../../provider/lifecycle/device/state";
import {
  fromSiteOutputs,
  isSolar as isSolarState,
  type KeptDevice,
  type Role,
  type SiteState,
} from "../../provider/lifecycle/site/state";
import { isSolar, type Member, membersOf, type Site } from "../../provider/manifest/model";
import { textOf } from "../../provider/messages/message";
import { FOLDED, planesOf } from "../../provider/settings/planes";
import { plannedDevices } from "../../provider/settings/planSite";
import { keysOf, omit, pick, type Values } from "../../provider/settings/setting";
import { GROUP_NAMES, type Group, kindOf, labelOf, type SiteDevice } from "../../provider/settings/site";
import type { ExportedResource } from "../view/exported";
import { type Lints, lintsOf, lintsOfDevice } from "../view/lints";
import type { SiteStatus } from "./model";

/** One device: its declaration and its state. */
export interface KnownDevice {
  readonly role: Role;
  /** Absent if neither the manifest nor the configuration names it. */
  readonly businessId?: string;
  readonly deviceId: string;
  readonly declared: Values;
  /** The planes of an inverter, if its peak power, azimuth and tilt come from them. */
  readonly planes?: Member["planes"];
  /** Absent if no update has applied it. */
  readonly state?: State;
  readonly secret: readonly string[];
  readonly lints: readonly string[];
}

/** One site: its declaration and its state. */
export interface KnownSite extends Pick<SiteStatus, "site" | "stack" | "solar" | "latitude" | "change" | "lints"> {
  readonly devices: readonly KnownDevice[];
  /** Absent if no update has applied it. */
  readonly state?: SiteState;
}

/** A site from the state of a stack. */
export function siteInState(stack: string, { name: site, inputs, outputs, secrets }: ExportedResource): KnownSite {
  const state = fromSiteOutputs(outputs);
  const kept = new Map(state.devices.map((one) => [labelOf(one.role), one]));
  const planned = plannedDevices({ ...inputs, policies: policiesIn(inputs, state) });
  const unlinted = planned.map((device): KnownDevice => {
    const { group, name, observe, policyFromSite, businessId, deviceId, values } = device;
    const role = { group, name, observe, policyFromSite };
    const planes = planesOf({ ...device });
    const own = stateOf(kept.get(labelOf(role)), role, { businessId, deviceId });
    const secret = secretKeys(secrets, group, [group, name]);
    const all = own ? { ...pick(valuesOf(own), secret), ...asDeclared(values, own) } : values;
    const known = { role, businessId, deviceId, declared: all, secret, lints: [] };
    return { ...known, ...(own && { state: own }), ...(planes && { planes }) };
  });
  const { latitude } = state.options as { latitude?: number };
  const solar = isSolarState(state);
  const secretsOf = new Map(unlinted.map(({ role, secret }) => [labelOf(role), secret]));
  const given = GROUP_NAMES.map((group) => [group, givenIn(group, planned, unlinted)]);
  const lints = lintsOf({ ...inputs, ...Object.fromEntries(given) }, (label) => secretsOf.get(label) ?? []);
  const declared = unlinted.map((one) => ({ ...one, lints: lints.ofDevices.get(labelOf(one.role)) ?? [] }));
  const groups = GROUP_NAMES.filter((group) => secrets.some(([first]) => first === group));
  const hidden = state.devices.filter(
    ({ role }) => groups.includes(role.group) && !declared.some((one) => labelOf(one.role) === labelOf(role)),
  );
  const devices = [...declared, ...hidden.map((one) => hiddenDevice(one))];
  return { site, stack, solar, ...(latitude !== undefined && { latitude }), devices, state, lints: lints.ofSite };
}

/** The devices of a group with the program's values, even if somebody else has set other ones. */
function givenIn(group: Group, planned: readonly SiteDevice[], known: readonly KnownDevice[]) {
  const entries = planned.flatMap(({ name, given, ...device }, index) =>
    device.group === group ? [[name, { ...given, ...pick(known[index]?.declared ?? {}, Object.keys(given)) }]] : [],
  );
  return Object.fromEntries(entries);
}

/**
 * The policies that a site gives its cars. State is preferred over the plan, because a check only assumes that a car
 * reports its undeclared values.
 */
function policiesIn({ policies: planned = {} }: ExportedResource["inputs"], { devices }: SiteState): Values {
  const cars = devices.filter(({ role }) => role.group === "vehicles");
  const given = cars.flatMap(({ role, state }) => (role.policyFromSite ? [[role.name, valuesOf(state).policy]] : []));
  const applied = cars.map(({ role }) => role.name);
  return { ...omit(planned as Values, applied), ...Object.fromEntries(given) };
}

/** A device whose whole declaration is secret. */
function hiddenDevice({ role, state }: KeptDevice): KnownDevice {
  const { businessId, deviceId } = state;
  const declared = asDeclared(valuesOf(state), state);
  return { role, businessId, deviceId, declared, state, secret: keysOf(kindOf(role)), lints: [] };
}

/** A device that has its own resource. */
export function deviceInState({ kind, name, inputs, outputs, secrets }: ExportedResource): KnownDevice {
  const group: Group = kind === "vehicle" ? "vehicles" : "inverters";
  const role = { group, name, observe: false, policyFromSite: false };
  const state = fromOutputs(kindOf(role), outputs);
  const { businessId, deviceId, values } = fromInputs(kindOf(role), { ...outputs, ...inputs });
  const secret = secretKeys(secrets, group, []);
  const declared = { ...pick(valuesOf(state), secret), ...asDeclared(pick(values, declaredKeys(inputs)), state) };
  const given = { ...inputs, ...pick(declared, Object.keys(inputs)) };
  const lints = lintsOfDevice(group, given, secret).map((one) => textOf(one));
  return { role, businessId, deviceId, declared, state, secret, lints };
}

/**
 * A site of the manifest, with its state.
 * @param business the default business id
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
  { group, name, deviceId, businessId = "", observe, values, planes }: Member,
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
    ...(planes && { planes }),
    ...(isSame && kept.state && { state: kept.state }),
    secret: [],
    lints: lints.ofDevices.get(labelOf(role)) ?? [],
  };
}

/** The state of a device, if it still has the same id and role. */
function stateOf(
  kept: KeptDevice | undefined,
  role: Role,
  { businessId, deviceId }: { readonly businessId: string; readonly deviceId: string },
): State | undefined {
  const isSame = kept?.state.deviceId === deviceId && kept.state.businessId === businessId;
  return isSame && kept.role.observe === role.observe ? kept.state : undefined;
}

/**
 * The declared values. After a refresh, inputs and outputs show a value that somebody else set; the record keeps
 * ours.
 */
function asDeclared(values: Values, { settings }: State): Values {
  const entries = Object.entries(values).map(([key, value]) => {
    const record = settings[key];
    if (!isManaged(record) || record.value !== value) return [key, value];
    return [key, (record.status === "uncertain" ? record.sent.at(-1) : oursOf(record)) ?? value];
  });
  return Object.fromEntries(entries);
}

function declaredKeys(inputs: ExportedResource["inputs"]): string[] {
  return [...Object.keys(inputs), ...(inputs.planes === undefined ? [] : FOLDED)];
}

/** The settings of a device that the program declares as secrets. @param path the path of the device in the inputs */
function secretKeys(secrets: ExportedResource["secrets"], group: Group, path: readonly string[]): string[] {
  const keys = keysOf(kindOf({ group }));
  const isAt = (secret: readonly string[], way: readonly string[]) =>
    secret.every((part, index) => part === way[index]);
  const isSecret = (key: string) => secrets.some((secret) => isAt(secret, [...path, key]));
  const folded: readonly string[] = isSecret("planes") ? FOLDED : [];
  return keys.filter((key) => isSecret(key) || folded.includes(key));
}
