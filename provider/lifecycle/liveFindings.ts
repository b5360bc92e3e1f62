import type { Declaration } from "../settings/declaration";
import { kindOf, labelOf } from "../settings/groups";
import type { Properties } from "../settings/objects";
import { isUnknown } from "../settings/objects";
import { declaredSite } from "../settings/planSite";
import type { DeviceKind, Values } from "../settings/setting";
import { differences } from "./device/check";
import { refreshed } from "./device/read";
import { managedIn } from "./device/record";
import { fromInputs, type State } from "./device/state";
import { livePreview } from "./livePreview";
import type { Context } from "./run/context";
import { toId } from "./run/ids";
import { devicesInState } from "./site/state";

/**
 * Warns if the service shows other values for the devices that a resource declares. Only the plugin's diff of an
 * existing resource sees all of them before an update, and it does not know whether it belongs to a preview.
 */
export class LivePreview {
  #read: ReturnType<typeof livePreview> | undefined;

  constructor(private readonly run: () => Parameters<typeof livePreview>[0]) {}

  /**
   * @param kind of a device's own resource; undefined for a site
   * @param olds the old outputs; undefined for a new resource
   */
  async warn(
    kind: DeviceKind | undefined,
    { urn, secrets }: Context,
    inputs: Properties,
    olds?: Properties,
  ): Promise<void> {
    const run = this.run();
    if (!run.configuration().livePreview) return;
    this.#read ??= livePreview(run);
    const read = this.#read;
    const devices: [kind: DeviceKind, label: string, declared: Declaration][] = kind
      ? [[kind, `device '${inputs.deviceId}'`, fromInputs(kind, inputs)]]
      : declaredSite(inputs).devices.map((device) => [kindOf(device), labelOf(device), device]);
    const known = devices.filter(([, , device]) => !isUnknown([device.businessId, device.deviceId]));
    const kept = olds ? devicesInState(kind, "", olds) : [];
    const findings = known.map(async ([ofDevice, label, device]) => {
      const live = await read(ofDevice, device);
      if (!live) return [];
      const state = kept.find((one) => toId(one) === toId(device));
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
  const after = state ? refreshed(state, reported, Object.keys(state.settings)) : {};
  return Object.fromEntries(
    managed.map(([key, { value }]) => [key, after[key]?.status === "drifted" ? value : (reported[key] ?? value)]),
  );
}
