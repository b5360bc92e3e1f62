import type { SunSide } from "../sun/sunSite";

/** A setting that is, or is to be, another one. */
export interface SettingChange {
  /** The key, such as `azimuth`; also `onDelete`. */
  readonly setting: string;
  /** Absent: it was not managed, and what the device has is not known. */
  readonly from?: unknown;
  /** Absent: it is no longer managed. */
  readonly to?: unknown;
}

/**
 * The change of a device. `same`: nothing; `leaves`: it is no longer managed; `resent`: the service has not accepted all
 * of it yet, so that an update sends it again; `secret`: a value that nobody may see may be another one; `failed` and
 * `held`: an update was not accepted, or waits for another device.
 */
export type DeviceChangeKind = "same" | "changed" | "new" | "leaves" | "resent" | "secret" | "failed" | "held";

export interface DeviceChange {
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly kind: DeviceChangeKind;
  readonly settings: readonly SettingChange[];
  /** Its earlier name in its site, if it has another name now. */
  readonly was?: string;
  /** Its `onDelete`, if it leaves. */
  readonly onDelete?: string;
  /** Why it failed. */
  readonly reason?: string;
}

/** The effect of a change on one site, or on one device without a site. */
export interface SiteChange {
  /** The name of its resource. */
  readonly name: string;
  /** Whether it is a site. */
  readonly isSite: boolean;
  /** The stack or fleet that it is in. */
  readonly subject: string;
  /** Absent if there was no such site, or if nobody knows. */
  readonly readyBefore?: boolean;
  /** Absent if the site is gone, or if it is known only after the update. */
  readonly readyAfter?: boolean;
  /** The gaps of a solar site after the change, in words. */
  readonly missing: readonly string[];
  /** Devices that change. */
  readonly devices: readonly DeviceChange[];
  /** How many of its devices stay as they are. */
  readonly unchanged: number;
  /** Devices that report something else than was applied: `from` what was applied, `to` what is reported. */
  readonly drift: readonly DeviceChange[];
  /** Warnings. */
  readonly warnings: readonly string[];
  /** Why it was refused. */
  readonly errors: readonly string[];
  /** Both sides, as far as they are known. */
  readonly sun: { readonly before?: SunSide; readonly after?: SunSide };
}

/** The result of a change: of a program's stack, of a fleet, or of several of them together. */
export interface Review {
  /** Its subject: names of stacks or fleets. */
  readonly subjects: readonly string[];
  /** `drift`: nothing changes, and devices were compared with what was applied. */
  readonly operation: "change" | "drift" | "applied";
  /** All sites, and all devices without one, that are known; also those of which nothing changes. */
  readonly sites: readonly SiteChange[];
  /** How many other resources there are of each operation, such as `create`. */
  readonly others: Readonly<Record<string, number>>;
  /** Problems that are about no site. */
  readonly errors: readonly string[];
  /** Warnings that are about no site. */
  readonly warnings: readonly string[];
  /** The command that repairs what has drifted. */
  readonly repair?: string;
  /** The source's own output, line by line, for reference. */
  readonly log: readonly string[];
}

/** Whether there is something to show of a site. */
export function isNotable({ devices, drift, warnings, errors, missing, readyBefore, readyAfter }: SiteChange): boolean {
  const all = [devices, drift, warnings, errors, missing];
  return all.some((some) => some.length > 0) || (readyBefore !== readyAfter && readyAfter !== undefined);
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
