import type { SiteView } from "../../view/model";
import { CONDITIONS, conditionAt } from "../conditions";
import {
  isExpectedReady,
  isNotReady,
  type LoneDevice,
  needsAttention,
  siteNeedsAttention,
  sitesNamed,
  warningsOf,
} from "../model";

/** The sites that are shown. */
export interface Filter {
  /** Text in the name of the site or its stack, or in the name or id of one of its devices. */
  readonly text: string;
  readonly show: Show;
  /** A condition that is not met. Empty: any. */
  readonly lacks: string;
}

/** The choices of a reader, in words, each with the sites that it shows. */
export const SHOWS = {
  all: ["All sites", () => true],
  attention: ["Needs attention", siteNeedsAttention],
  notReady: ["Not ready", isNotReady],
  ready: ["Ready", isReady],
  unknown: ["Not known", (site) => isExpectedReady(site) && site.observed?.verdict === "unknown"],
  drift: ["Drifted", ({ devices }) => devices.some(({ drift }) => drift.length > 0)],
  toApply: ["Not applied yet", ({ devices }) => devices.some(({ toApply }) => toApply.length > 0)],
  unread: ["Not read", ({ devices }) => devices.some(({ problem }) => problem !== undefined)],
  warnings: ["Values that may be wrong", (site) => warningsOf(site).length > 0],
} as const satisfies Record<string, readonly [words: string, isShown: (site: SiteView) => boolean]>;
export type Show = keyof typeof SHOWS;

/** Whether a site is ready, as declared and, if the service was asked, as reported now. */
export function isReady(site: SiteView): boolean {
  return isExpectedReady(site) && site.ready === true && (site.observed?.verdict ?? "ready") === "ready";
}

export function filteredSites(sites: readonly SiteView[], { text, show, lacks }: Filter): SiteView[] {
  const condition = CONDITIONS.find(({ key }) => key === lacks);
  const named = new Set(sitesNamed(sites, text));
  const isNamed = (site: SiteView) => named.has(site) || site.stack.toLowerCase().includes(text.trim().toLowerCase());
  const [, isShown] = SHOWS[show];
  return sites.filter(
    (site) => isNamed(site) && isShown(site) && (!condition || !["ok", "none"].includes(conditionAt(site, condition))),
  );
}

export function filteredDevices(devices: readonly LoneDevice[], { text, show }: Filter): LoneDevice[] {
  const word = text.trim().toLowerCase();
  const isShown = show === "all" || show === "ready" || show === "notReady" ? () => true : needsAttention;
  return devices.filter(
    (device) => isShown(device) && [device.device, device.label].some((name) => name.toLowerCase().includes(word)),
  );
}
