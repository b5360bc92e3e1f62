import { z } from "zod";
import { GAP_REASONS, readinessOf } from "../settings/readiness";
import { isObject, keysOf, omit, pick, type Values } from "../settings/setting";
import { GROUP_NAMES, type Group, isSolarSite, kindOf, labelOf, type SiteDevice } from "../settings/site";
import type { KeptDevice, SiteDeclaration, SiteState } from "./siteModel";
import { gapsInState, gapsOfDevices, unverifiedIn } from "./siteReadiness";
import { fromInputs, fromOutputs, notReadable, type Properties, type State, toId, toInputs, toOutputs } from "./state";

/** Tells devices apart, whatever they are called in their site. */
export function deviceKey(group: Group, device: Pick<SiteDevice, "businessId" | "deviceId">): string {
  return `${group} ${toId(device)}`;
}

/** @param inputs as the check of a site leaves them */
export function fromSiteInputs(inputs: Properties): SiteDeclaration {
  const { site, solar, latitude } = inputs;
  const devices = GROUP_NAMES.flatMap((group) =>
    Object.entries(isObject(inputs[group]) ? inputs[group] : {}).map(([name, given]) => {
      const device = given as Properties;
      const role = { group, name, observe: device.observe === true, policyFromSite: device.policyFromSite === true };
      return { ...fromInputs(kindOf(role), device), ...role };
    }),
  );
  return {
    site: String(site),
    solar: isSolarSite(solar, devices),
    ...(typeof latitude === "number" && { latitude }),
    devices,
  };
}

/** The outputs of a site's resource. */
export function toSiteOutputs(state: SiteState): Record<string, unknown> {
  return {
    site: state.site,
    solar: state.solar,
    ...(state.latitude !== undefined && { latitude: state.latitude }),
    devices: Object.fromEntries(state.devices.map((kept) => [labelOf(kept.role), deviceOutputs(kept)])),
    ...readinessOf(gapsInState(state)),
    unverified: unverifiedIn(state),
  };
}

function deviceOutputs({ role, state }: KeptDevice): Record<string, unknown> {
  const { businessId, deviceId, reported } = state;
  if (role.observe) return { businessId, deviceId, observe: true, reported };
  return { ...compact(toOutputs(state), state), ...(role.policyFromSite && { policyFromSite: true }) };
}

/**
 * The outputs of a device without what follows from the rest: a verified value is the reported one. The engine writes a
 * whole stack's state with each resource that it is done with, so each byte counts as often as the stack has sites.
 */
function compact(outputs: Properties, { reported, verification }: State): Properties {
  const verified = Object.keys(verification).filter((key) => verification[key] === "verified");
  const rest = { reported: omit(reported, verified), verification: omit(verification, verified) };
  const isKept = ([key, value]: [string, unknown]) => !(key in rest) || Object.keys(value as object).length > 0;
  return Object.fromEntries(Object.entries({ ...outputs, ...rest }).filter(isKept));
}

/** What `compact` left out. A declared key of which nothing is said was verified. */
function whole(group: Group, outputs: Properties): Properties {
  const { reported = {}, verification = {}, attempted = {} } = outputs as Partial<State>;
  const values = pick(outputs as Values, keysOf(kindOf({ group })));
  const verified = omit(values, [...Object.keys(verification), ...Object.keys(attempted)]);
  const isVerified = Object.fromEntries(Object.keys(verified).map((key) => [key, "verified"]));
  return { ...outputs, reported: { ...reported, ...verified }, verification: { ...verification, ...isVerified } };
}

/** The inputs that a refresh shows for a site. */
export function toSiteInputs(state: SiteState): Record<string, unknown> {
  const { site, solar, latitude, devices, openGaps } = state;
  const groups = GROUP_NAMES.map((group) => {
    const own = devices.filter(({ role }) => role.group === group);
    return [group, Object.fromEntries(own.map((kept) => [kept.role.name, deviceInputs(kept)]))];
  });
  const isDecided = devices.every(({ role }) => !role.observe) && openGaps.length === 0;
  return {
    site,
    ...Object.fromEntries(groups),
    ...(latitude !== undefined && { latitude }),
    solar,
    ...(isDecided && readinessOf(gapsOfDevices(state))),
  };
}

function deviceInputs({ role, state }: KeptDevice): Record<string, unknown> {
  return {
    ...toInputs(state),
    ...(role.observe && { observe: true }),
    ...(role.policyFromSite && { policyFromSite: true }),
  };
}

const outputsSchema = z.strictObject({
  site: z.string(),
  solar: z.boolean(),
  latitude: z.number().optional(),
  devices: z.record(z.string(), z.looseObject({})),
  gaps: z.array(z.strictObject({ device: z.string(), setting: z.string(), reason: z.enum(GAP_REASONS) })).default([]),
  ready: z.unknown().optional(),
  missing: z.unknown().optional(),
  unverified: z.unknown().optional(),
});

/**
 * The state of a site's resource.
 * @throws Error that names the site, if the outputs have anything that this version would not write
 */
export function fromSiteOutputs(outputs: Properties): SiteState {
  const parsed = outputsSchema.safeParse(outputs);
  if (!parsed.success) {
    throw notReadable(`SiteSettings${typeof outputs.site === "string" ? ` '${outputs.site}'` : ""}`, parsed.error);
  }
  const { site, solar, latitude, devices, gaps } = parsed.data;
  const kept = Object.entries(devices).map(([label, device]) => keptDevice(label, device));
  return {
    site,
    solar,
    ...(latitude !== undefined && { latitude }),
    devices: kept,
    openGaps: gaps.filter(({ reason, setting }) => reason === "notAccepted" && setting !== "policy"),
  };
}

function keptDevice(label: string, { observe, policyFromSite, ...outputs }: Properties): KeptDevice {
  const group = GROUP_NAMES.find((one) => label.startsWith(`${kindOf({ group: one }).name}/`));
  if (!group) throw new Error(`the state of SiteSettings has a device '${label}', which this version does not know`);
  const name = label.slice(kindOf({ group }).name.length + 1);
  const role = { group, name, observe: observe === true, policyFromSite: policyFromSite === true };
  return { role, state: fromOutputs(kindOf(role), role.observe ? outputs : whole(group, outputs)) };
}
