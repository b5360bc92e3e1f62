import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { SITE_TYPE } from "../../cli/stacks/stack";
import { comparedWith, type Known, type Managed } from "../../provider/lifecycle/device/record";
import { type StoredDevice, toSiteOutputs } from "../../provider/lifecycle/site/state";
import type { OnDelete } from "../../provider/settings/declaration";
import { GROUP_NAMES } from "../../provider/settings/groups";
import { omit } from "../../provider/settings/objects";
import type { Value, Values } from "../../provider/settings/setting";

export function urnOf(site: string): string {
  return `urn:pulumi:shard-1-of-2::acme::${SITE_TYPE}::${site}`;
}

/** The declaration or the kept state of devices of the business `acme`, by label. */
export type Devices = Readonly<
  Record<
    string,
    {
      /** Default: its name. */
      readonly deviceId?: string;
      readonly values?: Values;
      /** Default: the values. */
      readonly reported?: Values;
      readonly baseline?: Values;
      /** Records that differ from those of the reported values. */
      readonly records?: Readonly<Record<string, Managed>>;
      readonly onDelete?: OnDelete;
      /** Whether the policy among the values comes from the site. */
      readonly policyFromSite?: boolean;
      readonly observe?: boolean;
    }
  >
>;

export function inputsOf(devices: Devices): Record<string, unknown> {
  const groups = GROUP_NAMES.map((group) => {
    const own = Object.entries(devices).filter(([label]) => groupOf(label) === group);
    return [group, Object.fromEntries(own.map(([label, device]) => [nameOf(label), declared(label, device)]))];
  });
  const policies = Object.entries(devices).flatMap(([label, { values, policyFromSite }]) =>
    policyFromSite && values?.policy !== undefined ? [[nameOf(label), values.policy]] : [],
  );
  return { solar: true, policies: Object.fromEntries(policies), __provider: "code", ...Object.fromEntries(groups) };
}

function declared(label: string, { values = {}, policyFromSite, ...device }: Devices[string]) {
  const own = policyFromSite ? omit(values, ["policy"]) : values;
  return { ...givenOf(label, device), ...own };
}

function givenOf(label: string, { deviceId = nameOf(label), onDelete, observe }: Devices[string]) {
  return { businessId: "acme", deviceId, ...(onDelete && { onDelete }), ...(observe && { observe }) };
}

function nameOf(label: string): string {
  return label.slice(label.indexOf("/") + 1);
}

function groupOf(label: string): StoredDevice["group"] {
  return label.startsWith("inverter/") ? "inverters" : "vehicles";
}

function storedOf([label, device]: [string, Devices[string]]): StoredDevice {
  const { values = {}, reported = values, baseline = {}, records = {}, onDelete } = device;
  const { policyFromSite = false, observe = false } = device;
  const recordOf = (key: string): Known => {
    const [value, shown] = [values[key], reported[key]];
    if (value === undefined) return { status: "unmanaged", reported: shown as Value };
    const own = baseline[key] === undefined ? {} : { baseline: baseline[key] };
    return { ...comparedWith(shown, value, undefined), ...own };
  };
  const keys = [...new Set([...Object.keys(values), ...Object.keys(reported)])];
  const settings = { ...Object.fromEntries(keys.map((key) => [key, recordOf(key)])), ...records };
  const { deviceId = nameOf(label) } = device;
  const state = { businessId: "acme", deviceId, ...(onDelete && { onDelete }), settings };
  const role = { group: groupOf(label), name: nameOf(label), observe, policyFromSite };
  return { ...role, ...state, given: givenOf(label, device) };
}

/** A site's outputs, as the provider writes them. */
export function outputsOf(devices: Devices): Record<string, unknown> {
  const site = { options: { solar: true }, devices: Object.entries(devices).map(storedOf), openGaps: [] };
  return { ...toSiteOutputs(site), __provider: "code" };
}

/** An engine's step, with the state of a site before and after it. */
export function stepOf(op: string, site: string, before?: Devices, after?: Devices, kept = after): StepEventMetadata {
  const state = (declares: Devices, keeps: Devices | undefined) => ({
    inputs: inputsOf(declares),
    outputs: keeps ? outputsOf(keeps) : {},
  });
  return {
    ...{ op, urn: urnOf(site), type: SITE_TYPE },
    old: before && state(before, before),
    new: after && state(after, kept),
  } as StepEventMetadata;
}
