import { defined } from "../../provider/settings/objects";
import { compareNames } from "../names";
import type { SiteView } from "../view/model";
import type { KnownFleet } from "./gather";
import {
  type Counts,
  isExpectedReady,
  isNotReady,
  type LoneDevice,
  needsAttention,
  type Status,
  siteNeedsAttention,
  warningsOf,
} from "./model";
import { hasOnlyOtherPolicies } from "./words";

/** The status of sites and devices. Those that need attention come first. */
export function statusOf(known: Omit<KnownFleet, "run">, about: Pick<Status, "time" | "isOffline">): Status {
  const sites = known.sites.filter(({ isSite }) => isSite);
  const devices = known.sites
    .filter(({ isSite }) => !isSite)
    .flatMap(({ stack, devices }) => devices.map((device) => ({ ...device, stack })));
  return {
    of: known.of,
    name: known.name,
    ...about,
    counts: countsOf(sites, devices),
    sites: sites.sort(
      (a, b) => rankOf(a) - rankOf(b) || compareNames(a.name, b.name) || compareNames(a.stack, b.stack),
    ),
    devices: devices.sort(
      (a, b) => Number(needsAttention(b)) - Number(needsAttention(a)) || compareNames(a.device, b.device),
    ),
    ...defined({ stackErrors: known.stackErrors, rollout: known.rollout }),
  };
}

function countsOf(sites: readonly SiteView[], alone: readonly LoneDevice[]): Counts {
  const solar = sites.filter(isExpectedReady);
  const devices = [...sites.flatMap((site) => site.devices), ...alone];
  const observed = { ready: 0, notReady: 0, unknown: 0 };
  for (const { observed: one } of solar) if (one) observed[one.verdict] += 1;
  const left = sites.flatMap(({ leaving = [] }) => leaving);
  return {
    sites: sites.length,
    solar: solar.length,
    ready: solar.filter(({ ready }) => ready).length,
    otherPolicies: solar.filter(hasOnlyOtherPolicies).length,
    ...(solar.some((site) => site.observed) && { observed }),
    leaving: sites.filter(({ change }) => change === "leaving").length,
    devices: devices.length + left.length,
    drifted: devices.filter(({ drift }) => drift.length > 0).length,
    unread: devices.filter(({ problem }) => problem?.code === "unread").length,
    toApply: devices.filter(({ toApply }) => toApply.length > 0).length,
    warnings: [...sites, ...devices].flatMap(({ warnings }) => warnings).length,
  };
}

/**
 * The rank of a site in the list: first not ready, then with problems, then unknown or with warnings of lints, then all
 * others.
 */
function rankOf(site: SiteView): number {
  if (isNotReady(site)) return 0;
  if (siteNeedsAttention(site)) return 1;
  if (site.observed?.verdict === "unknown" || warningsOf(site).length > 0) return 2;
  return site.solar ? 3 : 4;
}

/** The exit code if a site or a device needs attention. */
export const ATTENTION = 2;

/** The exit code for a scheduled job. The help explains the codes. */
export function exitCodeOfStatus({ counts, stackErrors, sites, devices }: Status): number {
  if (stackErrors.length > 0 || counts.unread > 0) return 1;
  return sites.some(siteNeedsAttention) || devices.some(needsAttention) ? ATTENTION : 0;
}
