import { placeOf } from "../../provider/settings/site";
import type { SunSide } from "../clearDays/sunSite";
import { measuredOf } from "../measured/read";
import { awayWords } from "../measured/words";
import type { Change } from "../stacks/summary";
import type { MeasuredSites } from "../view/measured";

/** The change of a setting. */
export interface SettingChange {
  /** The key, such as `azimuth`; also `onDelete`. */
  readonly setting: string;
  /** Absent if it was not managed, and the device's value is not known. */
  readonly from?: unknown;
  /** Absent: the setting is no longer managed. */
  readonly to?: unknown;
}

/**
 * The change of a device. `same`: nothing. `leaves`: no longer managed. `resent`: the service has not accepted all of
 * it yet, so that an update sends it again. `secret`: a secret value may have changed. `failed`: an update was not
 * accepted. `held`: it waits for another device.
 */
export type DeviceChangeKind = "same" | "changed" | "new" | "leaves" | "resent" | "secret" | "failed" | "held";

export interface DeviceChange {
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly kind: DeviceChangeKind;
  readonly settings: readonly SettingChange[];
  /** Its earlier name in its site, if it was renamed. */
  readonly was?: string;
  /** Its `onDelete`, if it leaves. */
  readonly onDelete?: string;
  /** The reason why it failed. */
  readonly reason?: string;
}

/** The effect of a change on one site, or on one device without a site. */
export interface SiteChange {
  /** The name of its resource. */
  readonly name: string;
  /** Whether it is a site. */
  readonly isSite: boolean;
  /** Its stack or fleet. */
  readonly subject: string;
  /** Absent if the site is new, or if its readiness is not known. */
  readonly readyBefore?: boolean;
  /** Absent if the site is removed, or if only the update knows. */
  readonly readyAfter?: boolean;
  /** The gaps of a solar site after the change, in words. */
  readonly missing: readonly string[];
  /** Devices that change. */
  readonly devices: readonly DeviceChange[];
  /** Number of its devices that do not change. */
  readonly unchanged: number;
  /** Devices whose reported values differ from the applied ones: `from` applied, `to` reported. */
  readonly drift: readonly DeviceChange[];
  /** Warnings that the change brings. */
  readonly warnings: readonly string[];
  /** Warnings that were there before. */
  readonly standing: readonly string[];
  /** The reasons why it was refused. */
  readonly errors: readonly string[];
  /** Both sides, as far as they are known. */
  readonly sun: { readonly before?: SunSide; readonly after?: SunSide };
}

/** The result of a change: of a program's stack, of a fleet, or of several of them together. */
export interface Review {
  /** Its subject: names of stacks or fleets. */
  readonly subjects: readonly string[];
  /** `drift`: nothing changes, and the devices were compared with the applied values. */
  readonly operation: "change" | "drift" | "applied";
  /** All known sites, and all devices without one, including those that do not change. */
  readonly sites: readonly SiteChange[];
  /** Number of other resources by operation, such as `create`. */
  readonly others: Readonly<Record<string, number>>;
  /** Problems that concern no site. */
  readonly errors: readonly string[];
  /** Warnings that concern no site. */
  readonly warnings: readonly string[];
  /** The command that repairs drift. */
  readonly repair?: string;
  /** The source's own output, line by line, for reference. */
  readonly log: readonly string[];
}

/** A change of a setting, without unknown sides. */
export function settingOf({ key, from, to }: Change): SettingChange {
  return { setting: key, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

export function isChanged({ devices, errors, readyBefore, readyAfter }: SiteChange): boolean {
  return devices.length + errors.length > 0 || (readyBefore !== readyAfter && readyAfter !== undefined);
}

/** Whether the review has something to show about a site. */
export function isNotable(site: SiteChange): boolean {
  const { drift, warnings, standing, missing } = site;
  return isChanged(site) || drift.length + warnings.length + standing.length + missing.length > 0;
}

/**
 * The review with a warning for each change that moves a roof away from its measurement. The verdict counts these
 * warnings.
 */
export function withMeasured(review: Review, measured: MeasuredSites): Review {
  const warningsOf = ({ name }: SiteChange, { label, settings, was = label }: DeviceChange) => {
    const place = placeOf(was);
    const result = place?.group === "inverters" ? measuredOf(measured, name, place.name) : undefined;
    if (!result) return [];
    return settings.flatMap(({ setting, from, to }) => {
      const words = awayWords(setting, from, to, result);
      return words === undefined ? [] : [`${label}: ${words}`];
    });
  };
  const sites = review.sites.map((site) => ({
    ...site,
    warnings: [...site.warnings, ...site.devices.flatMap((device) => warningsOf(site, device))],
  }));
  return { ...review, sites };
}

/** Reviews of parts, such as shards, as one. */
export function mergedReview(reviews: readonly Review[]): Review {
  const others: Record<string, number> = {};
  for (const review of reviews) {
    for (const [operation, count] of Object.entries(review.others))
      others[operation] = (others[operation] ?? 0) + count;
  }
  const repairs = unique(reviews.flatMap(({ repair = [] }) => repair));
  const [operation = "change", ...rest] = unique(reviews.map((review) => review.operation));
  return {
    subjects: unique(reviews.flatMap(({ subjects }) => subjects)),
    operation: rest.length > 0 ? "change" : operation,
    sites: reviews.flatMap(({ sites }) => sites),
    others,
    errors: unique(reviews.flatMap(({ errors }) => errors)),
    warnings: unique(reviews.flatMap(({ warnings }) => warnings)),
    ...(repairs.length > 0 && { repair: repairs.join(" && ") }),
    log: reviews.flatMap(({ log }) => log),
  };
}

export function unique<T>(all: readonly T[]): T[] {
  return [...new Set(all)];
}
