import type { DeviceOutcome, SiteOutcome } from "../../provider/ledger/outcome";
import { deviceNamed } from "../../provider/service/device";
import { placeOf, shortName } from "../../provider/settings/groups";
import { planesOf } from "../../provider/settings/planes";
import type { Values } from "../../provider/settings/setting";
import type { SiteDevice } from "../../provider/settings/site";
import { defined } from "../defined";
import { deviceView } from "./device";
import { lintMessagesOf } from "./lints";
import type { DeviceView, SiteView } from "./model";

/** The outcome of a site in a run. */
export interface SiteInRun extends SiteOutcome {
  /** Its name for people, if the manifest gives one. */
  readonly title?: string;
  /** Whether the manifest no longer declares it: an `up` removes it. */
  readonly isLeaving?: true;
}

/** The outcome of a device in a run. */
export interface DeviceInRun extends Omit<DeviceOutcome, "result" | "problem"> {
  /** `notDone`: its stack could not be run, or was not started. */
  readonly result: DeviceOutcome["result"] | "notDone";
  /** Whether a part of the fleet outside of the run declares it now. */
  readonly isElsewhere?: true;
}

/** A site before a run and after it. A side is absent if the site did not exist, or no longer does. */
interface SiteSides {
  readonly before?: SiteView;
  readonly after?: SiteView;
}

/**
 * The sides of a site in a run, from its outcomes.
 * @param site absent if its provider reported none. @param devices the devices of the site
 */
export function sidesInRun(
  stack: string,
  name: string,
  site: SiteInRun | undefined,
  devices: readonly DeviceInRun[],
): SiteSides {
  return defined({
    before: beforeRun(stack, name, site, devices),
    after: afterRun({ stack, name, site, ready: site?.readyAfter }, devices),
  });
}

/** A site before a run; undefined if it did not exist. The parameters are those of `sidesInRun`. */
export function beforeRun(...[stack, name, site, devices]: Parameters<typeof sidesInRun>): SiteView | undefined {
  const own = devices.filter(({ isElsewhere }) => !isElsewhere);
  if (site?.readyBefore === undefined && own.every(isNewDevice)) return undefined;
  const views = own.flatMap((one) => {
    const wasManaged = one.result === "unmanaged" && one.onDelete === undefined;
    return isNewDevice(one) ? [] : [viewOfDevice(one, one.before, one.planes?.before, { isManaged: wasManaged })];
  });
  return siteView({ stack, name, site, ready: site?.readyBefore }, views);
}

function afterRun(of: SideOfSite, devices: readonly DeviceInRun[]): SiteView | undefined {
  const own = devices.filter(({ isElsewhere }) => !isElsewhere);
  const isRemoved = own.length > 0 && own.every(({ onDelete }) => onDelete !== undefined);
  if (of.ready === undefined && isRemoved) return undefined;
  const views = own.flatMap((one) => {
    const isGone = one.onDelete !== undefined && one.result !== "failed" && one.result !== "held";
    const settings = isGone ? undefined : (one.after ?? one.before);
    return settings ? [viewOfDevice(one, settings, one.planes?.after)] : [];
  });
  return siteView(of, views);
}

function isNewDevice({ result, before }: DeviceInRun): boolean {
  return result === "adopted" || (result === "changed" && Object.keys(before).length === 0);
}

/** A site before or after a run, without its devices. */
interface SideOfSite {
  readonly stack: string;
  readonly name: string;
  readonly site?: Partial<SiteInRun> | undefined;
  readonly ready: boolean | undefined;
}

function siteView({ stack, name, site = {}, ready }: SideOfSite, devices: readonly DeviceView[]): SiteView {
  const { title, latitude, gaps = [], readyBefore, readyAfter, isLeaving } = site;
  // A site that is not solar-aware has no gaps in a summary.
  const solar = readyBefore === true || readyAfter === true || gaps.length > 0;
  const groupOf = (group: DeviceView["group"]) =>
    Object.fromEntries(
      devices
        .filter((device) => device.group === group)
        .map(({ label, deviceId, declared }) => [shortName(label), { deviceId, ...declared }]),
    );
  const lints = lintMessagesOf({
    ...defined({ latitude, vehicles: groupOf("vehicles"), inverters: groupOf("inverters") }),
  });
  return {
    ...{ name, stack, isSite: true, solar, ...defined({ title, latitude, ready }) },
    ...{ gaps: ready === false ? gaps : [], warnings: lints.ofSite },
    ...(isLeaving && { change: "leaving" as const }),
    devices: devices.map((device) => ({ ...device, warnings: lints.ofDevices.get(device.label) ?? [] })),
  };
}

/** @param isManaged whether it was managed although it is observed now */
function viewOfDevice(
  { device, label, onDelete, secret, restores, ...given }: DeviceInRun,
  values: Values,
  planes: unknown,
  { isManaged = false } = {},
): DeviceView {
  const observe = !isManaged && given.observe === true;
  const { policyFromSite = false } = given;
  const role = { ...(placeOf(label) as Pick<SiteDevice, "group" | "name">), observe, policyFromSite };
  const options = defined({ onDelete, secret, restores, planes: planesOf({ planes }) });
  const reported = Object.entries(values).map(([key, value]) => [key, { status: "unmanaged", reported: value }]);
  const found = observe ? { declared: {}, settings: Object.fromEntries(reported) } : { declared: values };
  return deviceView({ role, ...deviceNamed(device), ...found, ...options });
}
