import { refreshed } from "../../provider/lifecycle/device/read";
import { differencesIn, type Records, reportedIn } from "../../provider/lifecycle/device/record";
import { deviceName } from "../../provider/service/device";
import { kindOf, labelOf } from "../../provider/settings/groups";
import { defined, omit, pick } from "../../provider/settings/objects";
import type { Gap } from "../../provider/settings/readiness";
import { keysOf, type Values } from "../../provider/settings/setting";
import { asMember, type DeclaredDevice } from "../../provider/settings/site";
import { type DeclaredSite, lintMessagesOf } from "./lints";
import type { DeviceView, SiteView } from "./model";
import { gapsOfView } from "./readiness";

/** The facts of a source about a device. */
export interface DeviceFacts
  extends Pick<DeclaredDevice, "group" | "name" | "observe" | "policyFromSite">,
    Partial<
      Pick<
        DeviceView,
        | "businessId"
        | "onDelete"
        | "onDrift"
        | "restores"
        | "physicalDevice"
        | "planes"
        | "settings"
        | "secret"
        | "warnings"
      >
    > {
  readonly deviceId: string;
  readonly declared: Values;
}

/** A device with its facts, and with the consequences of its records. */
export function deviceView(facts: DeviceFacts): DeviceView {
  const { deviceId, declared, settings = {}, secret = [], warnings = [], group, observe, policyFromSite } = facts;
  const { businessId, onDelete, onDrift, restores, physicalDevice, planes } = facts;
  const reported = reportedIn(settings);
  return {
    device: deviceName({ businessId, deviceId }),
    ...defined({ businessId, deviceId, physicalDevice, label: labelOf(facts), group, observe, policyFromSite }),
    isLeftOut: asMember(facts, declared).isLeftOut,
    ...defined({ onDelete, onDrift, restores, declared, planes, settings: facts.settings }),
    ...{ reported, secret, updates: [], warnings },
    ...differencesIn({ declared, settings, reported, observe }),
  };
}

/** The facts of a source about a site. @param openGaps those in state of settings that the service has not accepted */
type SiteFacts = Pick<SiteView, "name" | "stack" | "solar" | "title" | "latitude" | "change"> & {
  readonly openGaps?: readonly Gap[];
};

/**
 * A site with its facts and those of its devices.
 * @param declared its declarations. @param hidden the devices whose whole declaration is secret
 */
export function siteView(
  { openGaps, ...about }: SiteFacts,
  declared: DeclaredSite,
  facts: readonly DeviceFacts[],
  hidden: readonly DeviceView[] = [],
): SiteView {
  const lints = lintMessagesOf(declared, new Map(facts.map((one) => [labelOf(one), one.secret])));
  const warned = facts.map((one) => deviceView({ warnings: lints.ofDevices.get(labelOf(one)) ?? [], ...one }));
  const devices = [...warned, ...hidden];
  const gaps = gapsOfView({ ...about, devices }, openGaps);
  return { ...about, isSite: true, ready: gaps.length === 0, gaps, warnings: lints.ofSite, devices };
}

/** The device with the values of a cached read. */
export function withReported(view: DeviceView, reported: Values): DeviceView {
  const { settings = {}, observe } = view;
  const now = observe ? settings : refreshed({ ...view, settings }, reported, keysOf(kindOf(view)));
  const read = { ...view, ...(view.settings && { settings: now }), reported };
  return { ...read, ...differencesIn({ ...read, settings: now }) };
}

/** The site without the values of secret settings, for every reader: its views still name these settings. */
export function withoutSecrets(site: SiteView): SiteView {
  return { ...site, devices: site.devices.map(deviceWithoutSecrets) };
}

function deviceWithoutSecrets(device: DeviceView): DeviceView {
  const { secret, declared, reported, settings, planes, updates, ...rest } = device;
  if (secret.length === 0) return device;
  return {
    ...rest,
    secret,
    declared: omit(declared, secret),
    reported: omit(reported, secret),
    ...(settings && { settings: omit<Records[string]>(settings, secret) }),
    ...(planes && !secret.includes("azimuth") && { planes }),
    updates: updates.map((update) => ({
      ...update,
      settings: update.settings.map((one) => (secret.includes(one.key) ? (pick(one, ["key"]) as typeof one) : one)),
    })),
  };
}
