import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { toSiteOutputs } from "../../../provider/lifecycle/siteState";
import type { State } from "../../../provider/lifecycle/state";
import { GROUP_NAMES } from "../../../provider/settings/site";
import { verify } from "../../../provider/settings/verification";

export const SITE_TYPE = "pulumi-nodejs:dynamic/solar-charging:SiteSettings";

export function urnOf(site: string): string {
  return `urn:pulumi:shard-1-of-2::acme::solar-charging:index:FleetSettings$${SITE_TYPE}::${site}`;
}

/** What is declared, or kept, of a device of the business `acme`, by label. */
export type Devices = Readonly<
  Record<string, Partial<State> & { readonly policyFromSite?: boolean; readonly observe?: boolean }>
>;

/** A site's inputs. */
export function inputsOf(site: string, devices: Devices): Record<string, unknown> {
  const groups = GROUP_NAMES.map((group) => {
    const own = Object.entries(devices).filter(([label]) => `${label.slice(0, label.indexOf("/"))}s` === group);
    return [group, Object.fromEntries(own.map(([label, device]) => [nameOf(label), declared(label, device)]))];
  });
  return { site, solar: true, __provider: "code", ...Object.fromEntries(groups) };
}

function declared(label: string, { values = {}, onDelete, policyFromSite, observe }: Devices[string]) {
  const flags = { ...(policyFromSite && { policyFromSite }), ...(observe && { observe }) };
  return { businessId: "acme", deviceId: nameOf(label), ...(onDelete && { onDelete }), ...values, ...flags };
}

function nameOf(label: string): string {
  return label.slice(label.indexOf("/") + 1);
}

/** A site's outputs, as the provider writes them. A device whose `verification` is not given has all its values. */
export function outputsOf(site: string, devices: Devices): Record<string, unknown> {
  const kept = Object.entries(devices).map(([label, { policyFromSite = false, observe = false, ...given }]) => {
    const { values = {}, reported = values } = given;
    const group = label.startsWith("inverter/") ? ("inverters" as const) : ("vehicles" as const);
    const rest = { baseline: {}, written: {}, attempted: {}, verification: verify(values, reported) };
    const state = { businessId: "acme", deviceId: nameOf(label), values, reported, ...rest, ...given };
    return { role: { group, name: nameOf(label), observe, policyFromSite }, state };
  });
  return { ...toSiteOutputs({ site, solar: true, devices: kept, openGaps: [] }), __provider: "code" };
}

/** What a site is in state before and after a step. */
export function stepOf(op: string, site: string, before?: Devices, after?: Devices, kept = after): StepEventMetadata {
  const state = (declares: Devices, keeps: Devices | undefined) => ({
    inputs: inputsOf(site, declares),
    outputs: keeps ? outputsOf(site, keeps) : {},
  });
  return {
    ...{ op, urn: urnOf(site), type: SITE_TYPE },
    old: before && state(before, before),
    new: after && state(after, kept),
  } as StepEventMetadata;
}
