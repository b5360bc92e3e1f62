import { deviceStatusOf } from "./deviceStatus";
import type { Findings } from "./findings";
import type { Known } from "./gather";
import {
  type Counts,
  type DeviceStatus,
  needsAttention,
  type SiteStatus,
  type Status,
  siteNeedsAttention,
  warningsOf,
} from "./model";
import { siteStatusOf } from "./siteStatus";

/** The status from the declarations and the findings. Sites that need attention come first. */
export function statusOf(known: Known, findings: Findings, time: string): Status {
  const sites = known.sites.map((site) => siteStatusOf(site, findings));
  const devices = known.devices.map((device) => deviceStatusOf(device, device.stack, findings));
  return {
    of: known.of,
    name: known.name,
    time,
    isOffline: !findings.isAsked,
    counts: countsOf(sites, devices),
    sites: sites.sort((a, b) => rankOf(a) - rankOf(b) || compare(a.site, b.site) || compare(a.stack, b.stack)),
    devices: devices.sort(
      (a, b) => Number(needsAttention(b)) - Number(needsAttention(a)) || compare(a.device, b.device),
    ),
    stackErrors: known.stackErrors,
    ...(known.rollout && { rollout: known.rollout }),
  };
}

function countsOf(sites: readonly SiteStatus[], alone: readonly DeviceStatus[]): Counts {
  const solar = sites.filter((site) => site.solar);
  const devices = [...sites.flatMap((site) => site.devices), ...alone];
  const observed = { ready: 0, notReady: 0, unknown: 0 };
  for (const { observed: one } of solar) if (one) observed[one.verdict] += 1;
  return {
    sites: sites.length,
    solar: solar.length,
    ready: solar.filter(({ ready }) => ready).length,
    ...(solar.some((site) => site.observed) && { observed }),
    devices: devices.length,
    drifted: devices.filter(({ drift }) => drift.length > 0).length,
    unread: devices.filter(({ problem }) => problem?.code === "unread").length,
    toApply: devices.filter(({ toApply }) => toApply.length > 0).length,
    warnings: [...sites, ...devices].flatMap(({ lints }) => lints).length,
  };
}

/** The order of sites: not ready, needs attention, unknown or with lint warnings, all others. */
function rankOf(site: SiteStatus): number {
  const { solar, ready, observed } = site;
  if (solar && (!ready || observed?.verdict === "notReady")) return 0;
  if (siteNeedsAttention(site)) return 1;
  if (observed?.verdict === "unknown" || warningsOf(site).length > 0) return 2;
  return solar ? 3 : 4;
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

/** The exit code for a scheduled job. The help explains the codes. */
export function exitCode(status: Status): number {
  const { counts, stackErrors, sites, devices } = status;
  if (stackErrors.length > 0 || counts.unread > 0) return 1;
  return sites.some(siteNeedsAttention) || devices.some(needsAttention) ? 2 : 0;
}
