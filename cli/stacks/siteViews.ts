import { placeOf } from "../../provider/settings/groups";
import { planesOf } from "../../provider/settings/planes";
import type { Values } from "../../provider/settings/setting";
import type { SiteDevice } from "../../provider/settings/site";
import { deviceView } from "../view/device";
import { lintMessagesOf } from "../view/lints";
import type { DeviceView, SiteView } from "../view/model";
import type { Settings, SiteOutcome } from "./outcome";
import type { DeviceSummary, Summary } from "./summary";

/** A site before a run and after it. A side is absent if the site did not exist, or no longer does. */
export interface SiteSides {
  readonly before?: SiteView;
  readonly after?: SiteView;
}

/** The sides of a site in the summary of a run. @param devices the devices of the site */
export function siteSidesIn(
  summary: Pick<Summary, "sites" | "fleet">,
  name: string,
  devices: readonly DeviceSummary[],
) {
  const outcome = summary.sites.find(({ site }) => site === name);
  const own = devices.filter(({ isElsewhere }) => !isElsewhere);
  const isNew = outcome?.readyBefore === undefined && own.every(isNewDevice);
  const isRemoved =
    outcome?.readyAfter === undefined && own.length > 0 && own.every(({ onDelete }) => onDelete !== undefined);
  const viewOf = (ready: boolean | undefined, views: readonly DeviceView[]) =>
    siteView(summary.fleet, name, outcome, ready, views);
  const before = own.filter((one) => !isNewDevice(one)).map((one) => viewOfDevice(one, one.before, one.planes?.before));
  const after = own.flatMap((one) => {
    const isGone = one.onDelete !== undefined && one.result !== "failed" && one.result !== "held";
    const settings = isGone ? undefined : (one.after ?? one.before);
    return settings ? [viewOfDevice(one, settings, one.planes?.after)] : [];
  });
  const sides: SiteSides = {
    ...(!isNew && { before: viewOf(outcome?.readyBefore, before) }),
    ...(!isRemoved && { after: viewOf(outcome?.readyAfter, after) }),
  };
  return sides;
}

function isNewDevice({ result, before }: DeviceSummary): boolean {
  return result === "adopted" || (result === "changed" && Object.keys(before).length === 0);
}

function siteView(
  stack: string,
  name: string,
  { latitude, gaps = [], readyBefore, readyAfter, isLeaving }: Partial<SiteOutcome> = {},
  ready: boolean | undefined,
  devices: readonly DeviceView[],
): SiteView {
  // A site that is not solar-aware has no gaps in a summary.
  const solar = readyBefore === true || readyAfter === true || gaps.length > 0;
  const groupOf = (group: DeviceView["group"]) =>
    Object.fromEntries(
      devices
        .filter((device) => device.group === group)
        .map(({ label, deviceId, declared }) => [label.slice(label.indexOf("/") + 1), { deviceId, ...declared }]),
    );
  const lints = lintMessagesOf({
    ...(latitude !== undefined && { latitude }),
    ...{ vehicles: groupOf("vehicles"), inverters: groupOf("inverters") },
  });
  return {
    ...{ name, stack, isSite: true, solar },
    ...(latitude !== undefined && { latitude }),
    ...(ready !== undefined && { ready }),
    ...{ gaps: ready === false ? gaps : [], warnings: lints.ofSite },
    ...(isLeaving && { change: "leaving" as const }),
    devices: devices.map((device) => ({ ...device, warnings: lints.ofDevices.get(device.label) ?? [] })),
  };
}

function viewOfDevice({ device, label, onDelete }: DeviceSummary, settings: Settings, planes: unknown): DeviceView {
  const role = { ...(placeOf(label) as Pick<SiteDevice, "group" | "name">), observe: false, policyFromSite: true };
  const [businessId = "", deviceId = ""] = device.split(/\/(.*)/s);
  const declared = settings as Values;
  const folded = planesOf({ planes });
  return deviceView({
    role,
    businessId,
    deviceId,
    declared,
    ...(onDelete && { onDelete }),
    ...(folded && { planes: folded }),
  });
}
