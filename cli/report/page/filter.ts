import { type DeviceStatus, needsAttention, type SiteStatus, siteNeedsAttention, warningsOf } from "../../status/model";
import { CONDITIONS, standingAt } from "../conditions";

/** The sites that are shown. */
export interface Filter {
  /** Text in the name of the site, or in the name or id of one of its devices. */
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

const TESTS: Readonly<Record<Show, (site: SiteStatus) => boolean>> = {
  all: () => true,
  attention: siteNeedsAttention,
  notReady: ({ solar, ready, observed }) => solar && (!ready || observed?.verdict === "notReady"),
  ready: ({ solar, ready, observed }) => solar && ready && (observed === undefined || observed.verdict === "ready"),
  unknown: ({ observed }) => observed?.verdict === "unknown",
  drift: ({ devices }) => devices.some(({ drift }) => drift.length > 0),
  toApply: ({ devices }) => devices.some(({ toApply }) => toApply.length > 0),
  unread: ({ devices }) => devices.some(({ problem }) => problem !== undefined),
  warnings: (site) => warningsOf(site).length > 0,
};

export function filteredSites(sites: readonly SiteStatus[], { text, show, lacks }: Filter): SiteStatus[] {
  const word = text.trim().toLowerCase();
  const condition = CONDITIONS.find(({ key }) => key === lacks);
  return sites.filter(
    (site) =>
      TESTS[show](site) &&
      (word === "" || namesOf(site).some((name) => name.toLowerCase().includes(word))) &&
      (!condition || !["ok", "none"].includes(standingAt(site, condition))),
  );
}

export function filteredDevices(devices: readonly DeviceStatus[], { text, show }: Filter): DeviceStatus[] {
  const word = text.trim().toLowerCase();
  const isShown = show === "all" || show === "ready" || show === "notReady" ? () => true : needsAttention;
  return devices.filter(
    (device) => isShown(device) && [device.device, device.label].some((name) => name.toLowerCase().includes(word)),
  );
}

function namesOf({ site, stack, devices }: SiteStatus): string[] {
  return [site, stack, ...devices.flatMap(({ label, device }) => [label, device])];
}
