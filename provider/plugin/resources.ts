import { nativeType, PROVIDER_KEY, providerString } from "../engine/tokens";
import { differences } from "../lifecycle/device/check";
import { managedIn, refreshedBy } from "../lifecycle/device/record";
import { fromInputs, type Properties, type State } from "../lifecycle/device/state";
import { deviceOperations } from "../lifecycle/deviceOperations";
import { livePreview } from "../lifecycle/livePreview";
import type { Operations } from "../lifecycle/operations";
import type { Difference } from "../lifecycle/run/changes";
import type { Context } from "../lifecycle/run/context";
import { toId } from "../lifecycle/run/ids";
import { devicesInState } from "../lifecycle/site/state";
import { siteOperations } from "../lifecycle/siteOperations";
import type { EngineRun } from "../run";
import { type Declaration, keepsDrift } from "../settings/declaration";
import { GROUP_NAMES, kindOf, labelOf } from "../settings/groups";
import { inverter } from "../settings/inverter";
import { declaredDevices } from "../settings/planSite";
import { type DeviceKind, isObject, pick, type Values } from "../settings/setting";
import { isUnknown, UNKNOWN } from "../settings/unknown";
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
interface Planned extends Difference {
  readonly olds: Properties;
}

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
  const labels = declaredDevices(inputs).map(labelOf);
  const after = labels.map((label) => [label, changed.has(label) ? UNKNOWN : (olds[label] ?? UNKNOWN)]);
  return { devices: Object.fromEntries(after), unverified: changed.size === 0 ? unverified : UNKNOWN };
}

/**
 * Warns if the service shows other values for the devices that a resource declares. Only the plugin's diff of an
 * existing resource sees all of them before an update, and it does not know whether it belongs to a preview.
 */
export class LivePreview {
  #read: ReturnType<typeof livePreview> | undefined;

  constructor(private readonly run: () => EngineRun) {}

  /** @param olds the old outputs; undefined for a new resource */
  async warn(type: ResourceType, { urn, secrets }: Context, inputs: Properties, olds?: Properties): Promise<void> {
    const run = this.run();
    if (!run.configuration().livePreview) return;
    this.#read ??= livePreview(run);
    const read = this.#read;
    const devices: [kind: DeviceKind, label: string, declared: Declaration][] = type.kind
      ? [[type.kind, `device '${inputs.deviceId}'`, fromInputs(type.kind, inputs)]]
      : declaredDevices(inputs).map((device) => [kindOf(device), labelOf(device), device]);
    const known = devices.filter(([, , device]) => !isUnknown([device.businessId, device.deviceId]));
    const kept = olds ? devicesInState(type.kind, "", olds) : [];
    const findings = known.map(async ([kind, label, device]) => {
      const live = await read(kind, device);
      if (!live) return [];
      const state = kept.find((one) => toId(one.state) === toId(device))?.state;
      const messages = differences(live, expectedOf(state, live.values), device.values);
      return messages.map((message) => ({ ...message, device: label }));
    });
    for (const message of (await Promise.all(findings)).flat()) {
      await run.report.warn(secrets.hidden(message), urn);
    }
  }
}

/** The values of managed settings that are not drift: the reported value, unless a refresh would call it drift. */
function expectedOf(state: State | undefined, reported: Values = {}): Values {
  const managed = state ? managedIn(state.settings) : [];
  return Object.fromEntries(
    managed.map(([key, record]) => {
      const keeps = state !== undefined && keepsDrift(state, key);
      const isDrift = refreshedBy(reported[key], record, { keeps })?.status === "drifted";
      return [key, isDrift ? record.value : (reported[key] ?? record.value)];
    }),
  );
}
