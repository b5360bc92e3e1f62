import { deviceKey, fromSiteInputs, fromSiteOutputs } from "../lifecycle/siteState";
import { acceptedValues, fromInputs, fromOutputs, type Properties } from "../lifecycle/state";
import { type DeviceKind, differingKeys, isObject } from "../settings/setting";

/** How a property changes. */
export type Change = "add" | "update" | "delete";

/** What is in the inputs for the provider and is no change that a user made. */
const INTERNAL = ["site", "ready", "gaps", "missing", "policyFromSite"];

/**
 * What changes of a resource, by the path of the property, such as `vehicles.car.maxChargePower`.
 * @param kind undefined for a site
 */
export function detailOf(
  kind: DeviceKind | undefined,
  { olds, oldInputs, news }: { readonly olds: Properties; readonly oldInputs: Properties; readonly news: Properties },
): Map<string, Change> {
  const changes = new Map<string, Change>();
  compare(oldInputs, news, [], changes);
  // The inputs in state have it already, as an update that failed declared it: without this, nothing would be shown.
  for (const path of kind ? unsentOfDevice(kind, olds, news) : unsentOfSite(olds, news)) {
    if (!changes.has(path)) changes.set(path, "add");
  }
  return changes;
}

function compare(before: unknown, after: unknown, path: readonly string[], changes: Map<string, Change>): void {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (!INTERNAL.includes(key)) compare(settled(key, before), settled(key, after), [...path, key], changes);
    }
  } else if (before === undefined && isObject(after)) {
    compare({}, after, path, changes);
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    const change = before === undefined ? "add" : after === undefined ? "delete" : "update";
    changes.set(pathOf(path), change);
  }
}

/** A value, or what holds if it is not declared. */
function settled(key: string, values: Properties): unknown {
  return key === "onDelete" && values[key] === "retain" ? undefined : values[key];
}

function unsentOfDevice(kind: DeviceKind, olds: Properties, news: Properties): string[] {
  return differingKeys(fromInputs(kind, news).values, acceptedValues(fromOutputs(kind, olds))).map((key) =>
    pathOf([key]),
  );
}

function unsentOfSite(olds: Properties, news: Properties): string[] {
  const kept = new Map(
    fromSiteOutputs(olds).devices.map(({ role, state }) => [deviceKey(role.group, state), acceptedValues(state)]),
  );
  return fromSiteInputs(news)
    .devices.filter(({ observe }) => !observe)
    .flatMap((device) => {
      const unsent = differingKeys(device.values, kept.get(deviceKey(device.group, device)) ?? {});
      return unsent.map((key) => pathOf([device.group, device.name, key]));
    });
}

/** A path as the engine reads it. */
function pathOf(path: readonly string[]): string {
  return path
    .map((key, index) => (/^[\w-]+$/.test(key) ? `${index > 0 ? "." : ""}${key}` : `[${JSON.stringify(key)}]`))
    .join("");
}
