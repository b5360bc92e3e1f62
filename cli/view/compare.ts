import { SECRET } from "../../provider/messages/message";
import { defined, type Properties, pick } from "../../provider/settings/objects";
import { withReported } from "./device";
import type { DeviceChange, DeviceView, SettingChange, SiteChange, SiteView } from "./model";
import { observedSince } from "./readiness";

/**
 * The change of a site. At least one side is there. No other code compares two views.
 * @param before absent if the site is new
 * @param after absent if the site is removed
 */
export function compare(before: SiteView | undefined, after: SiteView | undefined): SiteChange {
  const { name, stack, isSite } = (after ?? before) as SiteView;
  const known = new Map(before?.devices.map((device) => [identityOf(device), device]));
  const stay = (after?.devices ?? []).flatMap((device) => {
    const old = known.get(identityOf(device));
    known.delete(identityOf(device));
    const earlier = before?.devices.find(({ label }) => label === device.label);
    return changeOf(old, device, earlier);
  });
  const leave = [...known.values()].map((device): DeviceChange => {
    const { label, observe, onDelete = "retain", restores } = device;
    const settings = restores ? changesBetween(shownValues(device, { hasOptions: false }), restores) : [];
    const isSame = restores && settings.length === 0;
    return { label, kind: "leaves", settings, onDelete: observe ? "observe" : isSame ? "same" : onDelete };
  });
  const was = before?.name === name ? undefined : before?.name;
  return { name, stack, isSite, ...defined({ was, before, after }), devices: [...stay, ...leave] };
}

/** @param earlier the device that had this label before the change */
function changeOf(old: DeviceView | undefined, device: DeviceView, earlier?: DeviceView): DeviceChange[] {
  const { label } = device;
  if (!old || old.observe !== device.observe) {
    const ids = earlier && !old ? changesBetween(idsOf(earlier), idsOf(device)) : [];
    return [{ label, kind: "new", settings: [...ids, ...settingChanges(old, device)] }];
  }
  const settings = settingChanges(old, device);
  const was = old.label === label ? undefined : old.label;
  if (settings.length === 0 && was === undefined) return [];
  return [defined({ label, kind: "changed" as const, settings, was })];
}

/** The settings that differ. Of a secret one, only that it is declared or no longer declared. */
function settingChanges(old: DeviceView | undefined, device: DeviceView): SettingChange[] {
  if (device.observe) return [];
  const hasOptions = old?.observe === false;
  return changesBetween(old ? shownValues(old, { hasOptions }) : {}, shownValues(device, { hasOptions }));
}

/** The settings that differ between two states of a device. A value is absent if it is not known, or not managed. */
export function changesBetween(before: Properties, after: Properties): SettingChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((setting) => {
      const [from, to] = [before[setting], after[setting]];
      return [from, to].includes(SECRET) ? { setting, secret: true } : defined({ setting, from, to });
    });
}

function shownValues(
  { declared, secret, drift, onDelete = "retain", onDrift = "repair" }: DeviceView,
  { hasOptions = true } = {},
) {
  // A secret value that somebody else has changed has none here, and so differs from the declared one.
  const hidden = Object.fromEntries(secret.map((key) => [key, drift.includes(key) ? null : SECRET]));
  return { ...declared, ...hidden, ...(hasOptions && { onDelete, onDrift }) };
}

function idsOf(device: DeviceView) {
  return pick<unknown>({ ...device }, ["businessId", "deviceId"]);
}

/** The identity of a device, independent of its name. */
function identityOf(device: DeviceView): string {
  return JSON.stringify([device.group, idsOf(device)]);
}

/**
 * A site as it is now, after a check for drift.
 * @param reported the same site; its declared values are those that the service reported
 */
export function asReported(applied: SiteView, reported: SiteView): SiteView {
  const known = new Map(reported.devices.map((device) => [identityOf(device), device]));
  const devices = applied.devices.map((device): DeviceView => {
    const now = known.get(identityOf(device));
    if (!now) return { ...device, reported: {}, problem: { code: "gone", finding: "the service no longer knows it" } };
    if (device.observe) return { ...device, reported: now.reported };
    const verified = Object.entries(device.declared).map(([key, value]) => [key, { status: "verified", value }]);
    const view = withReported({ ...device, settings: Object.fromEntries(verified) }, now.declared);
    return { ...view, drift: [...view.drift, ...now.drift.filter((key) => device.secret.includes(key))] };
  });
  // The gaps of what is reported: with `onDrift: keep`, a kept policy is no drift, and the site is not ready.
  const site = { ...applied, gaps: reported.gaps, devices };
  return site.solar ? { ...site, observed: observedSince(site) } : site;
}
