import { nativeType, ours, PROVIDER_KEY, providerString } from "../engine/tokens";
import { differences } from "../lifecycle/check";
import { PartialError } from "../lifecycle/errors";
import { type LiveReader, livePreview } from "../lifecycle/livePreview";
import { deviceOperations, type Operations, siteOperations } from "../lifecycle/operations";
import { isUnknown, UNKNOWN } from "../lifecycle/program";
import { fromSiteInputs } from "../lifecycle/siteState";
import { fromInputs, type Properties } from "../lifecycle/state";
import type { Run } from "../run";
import type { Declaration } from "../settings/declaration";
import { inverter } from "../settings/inverter";
import type { DeviceKind } from "../settings/setting";
import { kindOf, labelOf } from "../settings/site";
import { vehicle } from "../settings/vehicle";

/** One sort of resource of the plugin. */
export interface ResourceType {
  readonly operations: Operations;
  /** Undefined for a site. */
  readonly kind?: DeviceKind;
  /** What the dynamic front would have in state: a stack that goes back to it finds it there. */
  readonly providerString: string;
}

/** The resources of the package, by type token. @param run what all operations of this process share */
export function resourceTypes(run: () => Run): ReadonlyMap<string, ResourceType> {
  const devices = [vehicle, inverter].map((kind): [string, ResourceType] => [
    nativeType(kind.resource),
    { operations: deviceOperations(kind, run), kind, providerString: providerString(kind.name) },
  ]);
  const site = { operations: siteOperations(run), providerString: providerString("site") };
  return new Map([...devices, [nativeType("SiteSettings"), site]]);
}

/** The outputs as state has them. */
export function kept({ providerString }: ResourceType, outputs: Properties): Record<string, unknown> {
  return { ...ours(outputs), [PROVIDER_KEY]: providerString };
}

/** What is known in a preview of a resource that is to be made or changed. */
export function previewed(type: ResourceType, inputs: Properties): { id: string; outputs: Record<string, unknown> } {
  const unknown = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, UNKNOWN]));
  const outputs = type.kind
    ? { ...inputs, ...unknown(["reported", "baseline", "verification"]) }
    : { ...unknown(["ready", "gaps", "missing", "unverified", "devices"]), ...inputs };
  const isIdUnknown = type.kind && isUnknown([inputs.businessId, inputs.deviceId]);
  return { id: isIdUnknown ? "" : type.operations.id(inputs), outputs: kept(type, outputs) };
}

/** Warns in a preview of what the service shows of devices that a new resource declares. */
export class LivePreview {
  readonly #read: LiveReader;

  constructor(private readonly run: Run) {
    this.#read = livePreview(run);
  }

  async warn(type: ResourceType, inputs: Properties, urn: string): Promise<void> {
    if (!this.run.configuration().livePreview) return;
    const devices: [kind: DeviceKind, label: string, declared: Declaration][] = type.kind
      ? [[type.kind, `device '${inputs.deviceId}'`, fromInputs(type.kind, inputs)]]
      : fromSiteInputs(inputs).devices.map((device) => [kindOf(device), labelOf(device), device]);
    const known = devices.filter(([, , device]) => !isUnknown([device.businessId, device.deviceId]));
    const findings = known.map(async ([kind, label, device]) => {
      const live = await this.#read(kind, device);
      const messages = live && "problem" in live ? [live.problem] : differences(live, {}, device.values);
      return messages.map((message) => ({ ...message, device: label }));
    });
    for (const message of (await Promise.all(findings)).flat()) await this.run.warn(message, urn);
  }
}

/**
 * Does what may be done in part.
 * @param failed makes the error by which the engine keeps what was applied
 */
export async function inPart<T>(
  work: () => Promise<T>,
  failed: (outputs: Properties, reasons: readonly string[]) => Error,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PartialError ? failed(error.outputs, error.reasons) : error;
  }
}
