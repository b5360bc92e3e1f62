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

export type Show = (typeof SHOWS)[number]["value"];

export const SHOWS = [
  { value: "all", words: "All sites" },
  { value: "attention", words: "Needs attention" },
  { value: "notReady", words: "Not ready" },
  { value: "ready", words: "Ready" },
  { value: "unknown", words: "Not known" },
  { value: "drift", words: "Drifted" },
  { value: "toApply", words: "Not applied yet" },
  { value: "unread", words: "Not read" },
  { value: "warnings", words: "Values that may be wrong" },
] as const;

const TESTS: Readonly<Record<Show, (site: SiteView) => boolean>> = {
  all: () => true,
  attention: siteNeedsAttention,
  notReady: isNotReady,
  ready: isReady,
  unknown: (site) => isExpectedReady(site) && site.observed?.verdict === "unknown",
  drift: ({ devices }) => devices.some(({ drift }) => drift.length > 0),
  toApply: ({ devices }) => devices.some(({ toApply }) => toApply.length > 0),
  unread: ({ devices }) => devices.some(({ problem }) => problem !== undefined),
  warnings: (site) => warningsOf(site).length > 0,
};

/** Whether a site is ready, as declared and, if the service was asked, as reported now. */
export function isReady(site: SiteView): boolean {
  return isExpectedReady(site) && site.ready === true && (site.observed?.verdict ?? "ready") === "ready";
}

export function filteredSites(sites: readonly SiteView[], { text, show, lacks }: Filter): SiteView[] {
  const condition = CONDITIONS.find(({ key }) => key === lacks);
  const named = new Set(sitesNamed(sites, text));
  const isNamed = (site: SiteView) => named.has(site) || site.stack.toLowerCase().includes(text.trim().toLowerCase());
  return sites.filter(
    (site) =>
      isNamed(site) && TESTS[show](site) && (!condition || !["ok", "none"].includes(conditionAt(site, condition))),
  );
}

export function filteredDevices(devices: readonly LoneDevice[], { text, show }: Filter): LoneDevice[] {
  const word = text.trim().toLowerCase();
  const isShown = show === "all" || show === "ready" || show === "notReady" ? () => true : needsAttention;
  return devices.filter(
    (device) => isShown(device) && [device.device, device.label].some((name) => name.toLowerCase().includes(word)),
  );
}
