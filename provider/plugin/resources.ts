import { nativeType, PROVIDER_KEY, providerString } from "../engine/tokens";
import { fromInputs } from "../lifecycle/device/state";
import { deviceOperations } from "../lifecycle/deviceOperations";
import type { Operations } from "../lifecycle/operations";
import type { Context } from "../lifecycle/run/context";
import { siteOperations } from "../lifecycle/siteOperations";
import type { EngineRun } from "../run";
import { GROUP_NAMES, labelOf } from "../settings/groups";
import { inverter } from "../settings/inverter";
import { isObject, isUnknown, type Properties, pick, UNKNOWN } from "../settings/objects";
import { declaredSite } from "../settings/planSite";
import type { DeviceKind } from "../settings/setting";
import { vehicle } from "../settings/vehicle";

/** One type of resource of the plugin. */
export interface ResourceType {
  readonly operations: Operations;
  /** Undefined for a site. */
  readonly kind?: DeviceKind;
  /** The provider string of the dynamic resource. A stack that moves back to dynamic resources needs it in state. */
  readonly providerString: string;
}

/** The resources of the package, by type token. @param run gives the run that all operations of this process share */
export function resourceTypes(run: () => EngineRun): ReadonlyMap<string, ResourceType> {
  const devices = [vehicle, inverter].map((kind): [string, ResourceType] => [
    nativeType(kind.resource),
    { operations: deviceOperations(kind, run), kind, providerString: providerString(kind.name) },
  ]);
  const site = { operations: siteOperations(run), providerString: providerString("site") };
  return new Map([...devices, [nativeType("SiteSettings"), site]]);
}

/** The outputs with the provider string, as state has them. */
export function withProviderString({ providerString }: ResourceType, outputs: Properties): Record<string, unknown> {
  return { ...outputs, [PROVIDER_KEY]: providerString };
}

/** An update in a preview. */
type Planned = Awaited<ReturnType<Operations["diff"]>> & { readonly olds: Properties };

/**
 * The outputs of a resource that a preview knows before the update. Without the unchanged outputs, everything that
 * depends on them would be shown as changing.
 * @param planned undefined for a new resource
 */
export function previewed(
  type: ResourceType,
  context: Context,
  inputs: Properties,
  planned?: Planned,
): { id: string; outputs: Record<string, unknown> } {
  const outputs = type.kind
    ? {
        ...pick<unknown>(planned?.olds ?? {}, ["physicalDevice"]),
        ...inputs,
        ...fromInputs(type.kind, inputs).values,
        settings: settingsAfter(type.kind, planned),
      }
    : {
        ...{ ready: UNKNOWN, gaps: UNKNOWN, missing: UNKNOWN },
        ...devicesAfter(inputs, planned),
        ...inputs,
        ...planned?.readiness,
      };
  const isIdUnknown = type.kind && isUnknown([inputs.businessId, inputs.deviceId]);
  return { id: isIdUnknown ? "" : type.operations.id(context, inputs), outputs: withProviderString(type, outputs) };
}

function settingsAfter({ settings }: DeviceKind, planned: Planned | undefined): unknown {
  const isKept = planned?.changes.every((change) => change.kind === "value" && !(change.key in settings));
  return (isKept ? planned?.olds.settings : undefined) ?? UNKNOWN;
}

function devicesAfter(inputs: Properties, planned: Planned | undefined): Record<string, unknown> {
  const { devices: olds, unverified } = planned?.olds ?? {};
  if (!planned || !isObject(olds) || isUnknown(GROUP_NAMES.map((group) => inputs[group]))) {
    return { devices: UNKNOWN, unverified: UNKNOWN };
  }
  const changed = new Set(planned.changes.flatMap(({ device }) => (device ? [labelOf(device)] : [])));
  const labels = declaredSite(inputs).devices.map(labelOf);
  const after = labels.map((label) => [label, changed.has(label) ? UNKNOWN : (olds[label] ?? UNKNOWN)]);
  return { devices: Object.fromEntries(after), unverified: changed.size === 0 ? unverified : UNKNOWN };
}
